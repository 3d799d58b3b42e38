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

bool is_size(const Node& expression) {
  const std::string_view name = called_name(expression);
  return name == "len" || name == "numel" || name == "nelement" || name == "count";
}

/// From 0, where the new operator makes no sense with these operands.
double fit_of_operands(const Node& left, const Node& right, std::string_view to) {
  const bool number = right.is("integer") || right.is("float");
  if (number && to.ends_with("in")) return 0;
  if ((number || right.is("string")) && to.starts_with("is")) return 0;
  if (right.is("none") && (to.starts_with('<') || to.starts_with('>'))) return 0;
  if (right.is("none") && (to == "==" || to == "!=")) return 0.2;
  // Sizes are never below zero: only "> 0" and "== 0" say something, and are opposites.
  if (right.text() == "0" && is_size(left)) {
    return to == ">" || to == "==" ? 2.5 : 0.1;
  }
  return right.text() == "0" && (to == "==" || to == "!=") ? 1.4 : 1;
}

/// `len(x) == 0` becomes `len(x) <= 1`: one is too few as well.
void widen_size(const Node& comparison, const Node& sign, const Node& size, const Node& number,
                Proposals& out) {
  if (!is_size(size) || !number.is("integer") || number.text().size() > 1) return;
  const int value = number.text()[0] - '0';
  std::string_view wider;
  if (sign.text() == "==" || sign.text() == "<=") wider = "<=";
  if (sign.text() == "!=" || sign.text() == ">") wider = ">";
  if (wider.empty()) return;
  out.add({{{sign.span(), std::string(wider)}, {number.span(), std::to_string(value + 1)}},
           comparison,
           sign.text() == "==" ? 0.15 : 0.03,
           fmt::format("ask whether `{}` is {} {}", brief(size.text()), wider, value + 1),
           true});
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node comparison = match["comparison"];
  const std::vector<Node> operands = comparison.children();
  const std::vector<Node> signs = comparison.fields("operators");
  for (std::size_t i = 0; i < signs.size() && i + 1 < operands.size(); ++i) {
    widen_size(comparison, signs[i], operands[i], operands[i + 1], out);
    for (const OperatorChange& change : k_changes) {
      if (signs[i].text() != change.from) continue;
      out.add({{{signs[i].span(), std::string(change.to)}},
               comparison,
               change.weight * fit_of_operands(operands[i], operands[i + 1], change.to) *
                   (context.fails_here(comparison) ? 1.2 : 1),
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
    .answers = answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
