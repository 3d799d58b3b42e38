#pragma once

#include <string_view>

#include "templates/context.h"

namespace tenline::templates {

/// How much likelier a template is the fix of a failure with this exception than of any failure,
/// around 1. Mined fixes do not say what they failed with, so this is by hand: an exception that
/// names what is wrong rules most kinds of edits out.
[[nodiscard]] double symptom_fit(std::string_view template_id, const Symptom& symptom);

}  // namespace tenline::templates
