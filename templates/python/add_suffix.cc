// A method call, attribute or index behind an expression that the file writes behind others:
// `x.contiguous()`, `loss.item()`, `shape[0]`.

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct KnownSuffix {
  std::string_view text;
  double weight;
};

/// What tensors, texts and containers often lack, where the file does not write it elsewhere.
constexpr std::array k_known = {
    KnownSuffix{".contiguous()", 0.5},
    KnownSuffix{".clone()", 0.5},
    KnownSuffix{".detach()", 0.5},
    KnownSuffix{".item()", 0.5},
    KnownSuffix{".cpu()", 0.4},
    KnownSuffix{".cuda()", 0.4},
    KnownSuffix{".float()", 0.3},
    KnownSuffix{".long()", 0.2},
    KnownSuffix{".half()", 0.1},
    KnownSuffix{".data", 0.3},
    KnownSuffix{".T", 0.05},
    KnownSuffix{".shape", 0.2},
    KnownSuffix{".device", 0.3},
    KnownSuffix{".dtype", 0.3},
    KnownSuffix{".numel()", 0.3},
    KnownSuffix{".size()", 0.2},
    KnownSuffix{".view(-1)", 0.3},
    KnownSuffix{".flatten()", 0.2},
    KnownSuffix{".tolist()", 0.3},
    KnownSuffix{".unsqueeze(0)", 0.2},
    KnownSuffix{".squeeze()", 0.1},
    KnownSuffix{".t()", 0.1},
    KnownSuffix{".copy()", 0.3},
    KnownSuffix{".strip()", 0.4},
    KnownSuffix{".lower()", 0.3},
    KnownSuffix{".split()", 0.1},
    KnownSuffix{".items()", 0.4},
    KnownSuffix{".keys()", 0.3},
    KnownSuffix{".values()", 0.4},
    KnownSuffix{".grad", 0.1},
    KnownSuffix{".bool()", 0.1},
    KnownSuffix{".int()", 0.1},
    KnownSuffix{"[0]", 0.6},
    KnownSuffix{"[-1]", 0.4},
    KnownSuffix{"[1]", 0.2},
    KnownSuffix{"[1:]", 0.2},
    KnownSuffix{"[:-1]", 0.2},
    KnownSuffix{"[-2:]", 0.05},
    KnownSuffix{"()", 0.5},
};

/// How well a suffix fits by what the file writes it behind.
double fit(const Suffix& suffix, const Node& expression) {
  double weight = 0.12;
  if (suffix.count >= 2) weight = 0.2;
  if (suffix.count >= 4) weight = 0.3;
  std::string_view last = expression.text();
  if (expression.is("attribute")) last = expression.field("attribute").text();
  // The same method with the same arguments, of another object.
  const Node object = expression.field("function").field("object");
  if (object) last.remove_prefix(object.span().size());
  // Another call of the same function has it: `d.get("a").on` for `d.get("b")`.
  const std::string sister = fmt::format("{}(", expression.field("function").text());
  for (const std::string_view base : suffix.bases) {
    if (base == in_parentheses(expression)) return weight + 1;
    if (expression.is("call") && base.starts_with(sister)) weight = std::max(weight, 0.7);
    if (base.ends_with(last)) weight = std::max(weight, 0.7);
  }
  return weight;
}

/// `[:n]` gives `[n:]` and the other way round: the rest of what is cut off elsewhere.
std::string rest_of(std::string_view slice) {
  if (slice.starts_with("[:") && slice.find(':', 2) == std::string_view::npos) {
    return fmt::format("[{}:]", slice.substr(2, slice.size() - 3));
  }
  if (slice.ends_with(":]") && slice.find(':') == slice.size() - 2 && slice.front() == '[') {
    return fmt::format("[:{}]", slice.substr(1, slice.size() - 3));
  }
  return {};
}

/// The names that loops around a node bind to numbers or keys, as an index.
void add_loop_names(const Node& expression, Choices& choices) {
  double weight = 0.5;
  for (Node at = expression.parent(); at && !at.is("function_definition"); at = at.parent()) {
    const bool inside = at.is("for_statement") && at.field("body").contains(expression);
    if (!inside) continue;
    at.field("left").walk([&](const Node& target) {
      if (target.is("identifier") && target.text() != "_" && target.text() != expression.text()) {
        choices.add(fmt::format("[{}]", target.text()), weight);
      }
      return true;
    });
    weight *= 0.6;
  }
}

/// The device and the type of the values beside it: `.to(other.device)`.
void add_conversions(const Node& expression, Choices& choices) {
  constexpr std::size_t k_most = 6;
  std::vector<std::string_view> near;
  enclosing_statement(expression).walk([&](const Node& node) {
    if (near.size() == k_most || node.is("block")) return false;
    const bool name = node.is("identifier") || node.is("attribute");
    if (!name || !is_plain(node) || !is_value(node)) return true;
    const bool called = node.parent().field("function") == node;
    if (!called && !expression.contains(node) && node.text() != "self" &&
        std::find(near.begin(), near.end(), node.text()) == near.end()) {
      near.push_back(node.text());
    }
    return called;
  });
  for (const std::string_view other : near) {
    choices.add(fmt::format(".to({}.device)", other), 0.12);
    choices.add(fmt::format(".to({}.dtype)", other), 0.1);
    choices.add(fmt::format(".type_as({})", other), 0.03);
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node expression = awaited(match["expression"]);
  const Node parent = expression.parent();
  constexpr std::size_t k_longest = 160;
  if (!is_value(expression) || expression.span().size() > k_longest || is_message(expression))
    return;
  if (parent.is("call") && parent.field("function") == expression) return;
  if (parent.is("expression_statement") || expression.text() == "self") return;
  if (is_base_class(expression)) return;
  const auto& in_scope = context.name_set(expression);
  for (const Name& name : context.names(expression)) {
    // Modules and classes take no suffix of values.
    if (name.text == expression.text() && name.kind == NameKind::import) return;
  }
  const std::string_view behind =
      std::string_view(expression.source()).substr(expression.span().end, 24);
  // What is read further already rarely lacks something in between.
  const double inner =
      parent.is("attribute") || (parent.is("subscript") && parent.field("value") == expression)
          ? 0.3
          : 1;
  Choices choices;
  const auto add = [&](std::string_view text, double weight) {
    const bool again = text.ends_with(")") && expression.text().ends_with(text);
    if (!behind.starts_with(text)) choices.add(text, weight * (again ? 0.2 : 1) * inner);
  };
  for (const KnownSuffix& known : k_known) add(known.text, known.weight * 0.3);
  for (const auto* list : {&context.ingredients().methods(), &context.ingredients().subscripts()}) {
    for (const Suffix& suffix : *list) {
      // An argument or index must be in scope: its first name is asked for.
      const std::size_t inside = suffix.text.find_first_of("([");
      if (inside != std::string::npos) {
        const std::string_view argument = std::string_view(suffix.text).substr(inside + 1);
        const std::size_t end = argument.find_first_of(".[(),=] +-*/:");
        const std::string_view root = argument.substr(0, end);
        if (is_identifier(root) && !in_scope.contains(root) && root != "True" && root != "False" &&
            root != "None" && argument.substr(0, argument.find('=')) != root) {
          continue;
        }
      }
      add(suffix.text, fit(suffix, expression));
      const std::string rest = rest_of(suffix.text);
      if (rest.size() > 3) add(rest, 0.3 * fit(suffix, expression));
    }
  }
  if (expression.is("call") || expression.is("subscript")) {
    // What the repository writes behind such expressions.
    for (const auto& [text, count] : context.index().accesses("")) {
      if (!text.ends_with('(')) add(fmt::format(".{}", text), 0.04 * std::log2(count));
    }
  } else {
    for (const auto& [text, count] : context.index().common_suffixes()) {
      add(fmt::format(".{}", text), 0.02 * std::log2(count));
    }
  }
  add_loop_names(expression, choices);
  add_conversions(expression, choices);
  const std::string base = in_parentheses(expression);
  const bool repeatable = may_repeat(context, expression);
  for (const auto& [text, weight] : choices.best(120)) {
    const std::optional<std::string> fitted = quoted_for(expression, text);
    if (!fitted) continue;
    Proposal proposal =
        change_of(expression, expression.span(), base + *fitted, weight,
                  fmt::format("`{}{}` instead of `{}`", brief(base), *fitted, brief(base)));
    proposal.repeatable = repeatable;
    out.add(std::move(proposal));
  }
}

}  // namespace

extern constinit const Template k_add_suffix = {
    .id = "add-suffix",
    .family = Family::wrong_api_or_name,
    .summary = "Call a method of a value, or read its attribute or element.",
    .language = Language::python,
    .query = "[(identifier) (attribute) (call) (subscript)] @expression",
    .prior = 0.5,
    .answers = answers::attribute_error | answers::wrong_arguments | answers::key_error |
               answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
