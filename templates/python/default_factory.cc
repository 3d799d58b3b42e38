// A field of a dataclass has a default that all objects would share: it becomes
// `field(default_factory=...)`, with the import where the file lacks it.

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

bool is_dataclass(const Node& definition) {
  return std::ranges::any_of(definition.parent().children(), [](const Node& part) {
    return part.is("decorator") && part.text().find("dataclass") != std::string_view::npos;
  });
}

/// `list` for `[]`, `Config` for `Config()`, else a lambda.
std::string factory_of(const Node& value) {
  const Node arguments = value.field("arguments");
  const bool empty = value.children().empty();
  if (value.is("list") && empty) return "list";
  if (value.is("dictionary") && empty) return "dict";
  if (value.is("call") && arguments.is("argument_list") && arguments.children().empty()) {
    return std::string(value.field("function").text());
  }
  return fmt::format("lambda: {}", value.text());
}

/// How this file can say `field`, and what it has to import for that.
struct FieldName {
  std::string text;
  std::vector<Change> import;
};

FieldName field_name(const Context& context, const Node& at) {
  FieldName found{"field", {}};
  bool module_imported = false;
  for (const Name& name : context.names(at)) {
    if (name.text == "field" && name.kind == NameKind::import) return found;
    module_imported = module_imported || name.text == "dataclasses";
  }
  if (module_imported) return {"dataclasses.field", {}};
  for (const Node& statement : context.tree().root().children()) {
    if (!statement.is("import_from_statement") ||
        statement.field("module_name").text() != "dataclasses") {
      continue;
    }
    const std::vector<Node> names = statement.fields("name");
    if (names.empty()) continue;
    const std::size_t end = names.back().span().end;
    found.import.push_back({{end, end}, ", field"});
    return found;
  }
  return found;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node assignment = match["assignment"];
  const Node value = match["value"];
  const Node statement = assignment.parent();
  if (!is_dataclass(statement.parent().parent()) || !assignment.field("type")) return;
  if (value.is("call") && (called_name(value) == "field" || called_name(value) == "Field")) return;
  const Symptom& symptom = context.symptom();
  const bool blamed = symptom.is("ValueError") && symptom.mentions("mutable default");
  double weight = value.is("call") ? 0.3 : 0.6;
  if (blamed) {
    weight =
        symptom.mentions(fmt::format("for field {} ", assignment.field("left").text())) ? 6 : 2;
  }
  const FieldName field = field_name(context, assignment);
  Proposal proposal;
  proposal.changes = field.import;
  proposal.changes.push_back(
      {value.span(), fmt::format("{}(default_factory={})", field.text, factory_of(value))});
  proposal.anchor = assignment;
  proposal.weight = weight;
  proposal.summary = fmt::format("make `{}` anew for every object", brief(value.text()));
  out.add(std::move(proposal));
}

}  // namespace

extern constinit const Template k_default_factory = {
    .id = "default-factory",
    .family = Family::parameter_handling,
    .summary = "Make a dataclass field's mutable default by a factory.",
    .language = Language::python,
    .query =
        "(class_definition body: (block (expression_statement (assignment"
        " right: [(call) (list) (dictionary) (set)] @value) @assignment)))",
    .prior = 1.0,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
