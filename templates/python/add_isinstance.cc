// A type test takes another type: `isinstance(x, (A, B))` gets `dict`, `isinstance(x, A)` a tuple.

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// Commonest first.
constexpr std::array<std::pair<std::string_view, double>, 8> k_builtin_types = {{
    {"list", 0.27},
    {"tuple", 0.26},
    {"dict", 0.25},
    {"int", 0.12},
    {"str", 0.115},
    {"float", 0.11},
    {"bool", 0.105},
    {"set", 0.1},
}};

/// The classes of a type test: the elements of its tuple, or the one class.
std::vector<Node> types_of(const Node& call) {
  const Node second = call.field("arguments").child(1);
  if (second.is("tuple")) return second.children();
  return {second};
}

bool is_type_test(const Node& call) {
  const std::string_view name = call.field("function").text();
  return (name == "isinstance" || name == "issubclass") &&
         call.field("arguments").children().size() == 2;
}

/// "got <class 'dict'>" and "'dict' object has no attribute".
bool message_names(const Symptom& symptom, std::string_view type) {
  return symptom.mentions(fmt::format("'{}'", type)) ||
         symptom.mentions(fmt::format(".{}'", type)) ||
         symptom.mentions(fmt::format("got {}", type));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  if (!is_type_test(call)) return;
  const Node subject = call.field("arguments").child(0);
  const Node second = call.field("arguments").child(1);
  const std::vector<Node> present = types_of(call);
  if (present.empty() || (!second.is("tuple") && !is_plain(second))) return;
  const SeenValue* seen = context.seen(subject);
  Choices types;
  const auto add = [&](std::string_view type, double weight) {
    for (const Node& known : present) {
      if (last_part(known.text()) == last_part(type)) return;
    }
    if (message_names(context.symptom(), last_part(type))) weight = std::max(weight, 0.5) * 4;
    if (seen != nullptr && seen->type == last_part(type)) weight = std::max(weight, 0.5) * 3;
    if (context.in_issue(type)) weight = std::max(weight, 0.25) * 2;
    types.add(type, weight);
  };
  // Other tests of the file name the types that it works with.
  context.tree().root().walk([&](const Node& node) {
    if (!node.is("call") || !is_type_test(node) || node == call) return true;
    const bool same = node.field("arguments").child(0).text() == subject.text();
    for (const Node& type : types_of(node)) {
      if (is_plain(type)) add(type.text(), same ? 0.4 : 0.2);
    }
    return true;
  });
  for (const auto& [type, weight] : k_builtin_types) add(type, weight);
  for (const auto& [type, weight] : types.best(8)) {
    const std::string summary = fmt::format("let `{}` take `{}`", brief(call.text()), type);
    if (second.is("tuple")) {
      const std::size_t end = present.back().span().end;
      out.add(change_of(call, {end, end}, fmt::format(", {}", type), weight, summary));
    } else {
      out.add(change_of(call, second.span(), fmt::format("({}, {})", second.text(), type), weight,
                        summary));
    }
  }
}

}  // namespace

extern constinit const Template k_add_isinstance = {
    .id = "add-isinstance",
    .family = Family::conditional_logic,
    .summary = "Let a type test take another type.",
    .language = Language::python,
    .query = "(call function: (identifier) arguments: (argument_list)) @call",
    .prior = 0.6,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
