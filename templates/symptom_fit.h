#pragma once

#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// How much likelier a template is the fix of a failure with this exception than of any failure,
/// at most 1. Mined fixes do not say what they failed with, so this is by hand: an exception that
/// names what is wrong rules most kinds of edits out.
[[nodiscard]] double symptom_fit(const Template& form, const Symptom& symptom);

}  // namespace tenline::templates
