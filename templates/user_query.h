#pragma once

#include <optional>
#include <string_view>

#include "engine/syntax/tree.h"

namespace tenline::templates {

/// Why a query that we did not write is refused: it does not compile, or could take for ever on
/// some file, or says something that the runtime ignores. Nothing where it is fine.
[[nodiscard]] std::optional<QueryProblem> problem_of_user_query(std::string_view query);

}  // namespace tenline::templates
