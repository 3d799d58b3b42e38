// A comparison gets another operator: an off-by-one bound, an equality that should cover more
// cases, an inverted test.

#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct OperatorChange {
  std::string_view from;
  std::string_view to;
  double weight;
};

// Bounds and widenings keep the cases that were right; inversions change every case, and are less
// often meant.
constexpr std::array k_changes = {
    OperatorChange{"==", "<=", 0.8},     OperatorChange{"==", ">=", 0.8},
    OperatorChange{"==", "!=", 0.4},     OperatorChange{"==", "in", 0.2},
    OperatorChange{"==", "is", 0.1},     OperatorChange{"==", ">", 0.2},
    OperatorChange{"==", "<", 0.2},      OperatorChange{"!=", "==", 0.4},
    OperatorChange{"!=", ">", 0.3},      OperatorChange{"!=", "<", 0.3},
    OperatorChange{"!=", "is not", 0.2}, OperatorChange{"!=", "not in", 0.2},
    OperatorChange{"<", "<=", 0.9},      OperatorChange{"<", ">", 0.4},
    OperatorChange{"<", ">=", 0.4},      OperatorChange{"<", "!=", 0.2},
    OperatorChange{"<", "==", 0.15},     OperatorChange{"<=", "<", 0.9},
    OperatorChange{"<=", ">=", 0.4},     OperatorChange{"<=", ">", 0.4},
    OperatorChange{"<=", "==", 0.25},    OperatorChange{">", ">=", 0.9},
    OperatorChange{">", "<", 0.4},       OperatorChange{">", "<=", 0.4},
    OperatorChange{">", "==", 0.3},      OperatorChange{">", "!=", 0.2},
    OperatorChange{">=", ">", 0.9},      OperatorChange{">=", "<=", 0.4},
    OperatorChange{">=", "<", 0.4},      OperatorChange{">=", "==", 0.25},
    OperatorChange{"is", "==", 0.5},     OperatorChange{"is", "is not", 0.6},
    OperatorChange{"is not", "is", 0.6}, OperatorChange{"is not", "!=", 0.5},
    OperatorChange{"in", "not in", 0.5}, OperatorChange{"in", "==", 0.3},
    OperatorChange{"not in", "in", 0.5}, OperatorChange{"not in", "!=", 0.3},
};

void rewrite(const Match& match, const Context& /*context*/, Proposals& out) {
  const Node comparison = match["comparison"];
  for (const Node& sign : comparison.fields("operators")) {
    for (const OperatorChange& change : k_changes) {
      if (sign.text() != change.from) continue;
      double weight = change.weight;
      // Against zero, sizes are empty or not: "> 0" and "== 0" are opposites.
      const bool against_zero = comparison.children().back().text() == "0";
      if (against_zero && (change.to == "==" || change.to == "!=")) weight += 0.2;
      out.add({{{sign.span(), std::string(change.to)}},
               comparison,
               weight,
               fmt::format("compare by `{}` instead of `{}` in `{}`", change.to, change.from,
                           brief(comparison.text())),
               true});
    }
  }
}

}  // namespace

extern constinit const Template k_change_comparison = {
    .id = "change-comparison",
    .family = Family::conditional_logic,
    .summary = "Change the operator of a comparison.",
    .language = Language::python,
    .query = "(comparison_operator) @comparison",
    .prior = 0.8,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
