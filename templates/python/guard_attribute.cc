// An attribute that not every object has is used only where it is there: `if hasattr(x, "a"):`.

#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {
namespace {

/// The plain objects whose attribute of this name the node reads, without repeats.
std::vector<Node> owners(const Node& node, std::string_view name) {
  std::vector<Node> found;
  std::set<std::string_view> known;
  node.walk([&](const Node& at) {
    if (at.is("block") || at.is("lambda")) return false;
    const bool reads = at.is("attribute") && at.field("attribute").text() == name;
    const Node object = reads ? at.field("object") : Node{};
    if (reads && is_plain(object) && known.insert(object.text()).second) found.push_back(object);
    return true;
  });
  return found;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Symptom& symptom = context.symptom();
  if (!symptom.is("AttributeError") || symptom.name.empty()) return;
  const Node comprehension = match["comprehension"];
  const Node place = comprehension ? comprehension : match["statement"];
  for (const Node& object : owners(place, symptom.name)) {
    const SeenValue* seen = context.seen(object);
    double weight = context.fails_here(object) ? 2.5 : 0.8;
    // None is tested for as such; what the message is about is another type then.
    if (symptom.mentions("NoneType")) weight *= 0.15;
    if (seen != nullptr && !symptom.owner.empty() && seen->type != symptom.owner) weight *= 0.3;
    const std::string test =
        fmt::format("hasattr({0}, {1}{2}{1})", object.text(), usual_quote(object), symptom.name);
    Guard guard{test, "not " + test, weight};
    if (is_bound_inside(object, place)) {
      if (comprehension) guard_comprehension(comprehension, guard, out);
      continue;
    }
    if (comprehension) continue;
    if (place.is("if_statement")) guard.weight *= 0.5;
    guard_statement(place, guard, out);
    guard_value(object, guard, out);
  }
}

}  // namespace

extern constinit const Template k_guard_attribute = {
    .id = "guard-attribute",
    .family = Family::precondition_guard,
    .summary = "Use an attribute only where the object has it.",
    .language = Language::python,
    .query =
        "[(expression_statement) (return_statement) (for_statement) (if_statement)"
        " (with_statement) (assert_statement) (delete_statement)] @statement"
        "[(list_comprehension) (set_comprehension) (dictionary_comprehension)"
        " (generator_expression)] @comprehension",
    .prior = 0.7,
    .answers = answers::attribute_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
