// A call returns a tuple where one value was expected: the value is unpacked, or indexed at its
// use. Only where the failure tells of a tuple.

#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

bool tells_of_a_tuple(const Context& context, const Node& value) {
  if (const SeenValue* seen = context.seen(value)) {
    return seen->type == "tuple" || seen->type == "list";
  }
  const Symptom& symptom = context.symptom();
  return symptom.mentions("'tuple'") || symptom.mentions("'list'") ||
         symptom.mentions("too many values to unpack");
}

void unpack_assignment(const Node& assignment, const Context& context, Proposals& out) {
  const Node left = assignment.field("left");
  const Node right = assignment.field("right");
  if (!right.is("call") && !right.is("await")) return;
  if (is_plain(left) && tells_of_a_tuple(context, left)) {
    const SeenValue* seen = context.seen(left);
    const double pair = seen != nullptr && seen->length > 2 ? 0.4 : 1.2;
    const std::string_view name = left.text();
    const std::array<std::pair<std::string, double>, 4> forms = {{
        {fmt::format("{}, _", name), pair},
        {fmt::format("_, {}", name), pair * 0.6},
        {fmt::format("{}, *_", name), seen != nullptr && seen->length > 2 ? 1.0 : 0.4},
        {fmt::format("({},)", name), seen != nullptr && seen->length == 1 ? 1.0 : 0.15},
    }};
    for (const auto& [text, weight] : forms) {
      out.add(change_of(assignment, left.span(), text, weight,
                        fmt::format("unpack the result as `{}`", text)));
    }
  }
  if (left.is("pattern_list") && context.symptom().mentions("too many values to unpack")) {
    const std::size_t end = left.span().end;
    for (const std::string_view more : {", _", ", *_"}) {
      out.add(change_of(assignment, {end, end}, std::string(more),
                        context.fails_here(assignment) ? 1.5 : 0.3,
                        fmt::format("unpack more values into `{}`", brief(left.text()))));
    }
  }
}

void index_use(const Node& value, const Context& context, Proposals& out) {
  if (!is_plain(value) || value.text() == "self" || !tells_of_a_tuple(context, value)) return;
  const bool here = context.fails_here(value) || context.seen(value) != nullptr;
  const std::size_t end = value.span().end;
  constexpr std::array<std::pair<std::string_view, double>, 3> k_indices = {
      {{"[0]", 1.0}, {"[1]", 0.55}, {"[-1]", 0.5}}};
  for (const auto& [index, weight] : k_indices) {
    out.add(change_of(value, {end, end}, std::string(index), weight * (here ? 1 : 0.2),
                      fmt::format("take `{}{}`", brief(value.text()), index)));
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["node"];
  if (node.is("assignment")) {
    unpack_assignment(node, context, out);
  } else if (node.is("attribute")) {
    const Node object = node.field("object");
    const Symptom& symptom = context.symptom();
    const bool blamed =
        symptom.is("AttributeError") && symptom.name == node.field("attribute").text();
    if (blamed || context.seen(object) != nullptr) index_use(object, context, out);
  } else if (is_value(node) && context.seen(node) != nullptr && !node.parent().is("attribute") &&
             !node.parent().is("subscript")) {
    index_use(node, context, out);
  }
}

}  // namespace

extern constinit const Template k_unpack_tuple = {
    .id = "unpack-tuple",
    .family = Family::wrong_api_or_name,
    .summary = "Unpack or index a tuple that was taken for one value.",
    .language = Language::python,
    .query = "[(assignment) (attribute) (identifier)] @node",
    .prior = 0.8,
    .answers = answers::attribute_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
