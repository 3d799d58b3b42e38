// A handler that lets the failure through takes it too: `except ImportError` becomes
// `except (ImportError, AttributeError)`.

#include <algorithm>
#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// The `as` pattern's type, or the clause's own.
Node type_of(const Node& clause) {
  const Node value = clause.field("value");
  return value.is("as_pattern") ? value.child(0) : value;
}

bool catches(const Node& type, std::string_view name) {
  const std::vector<Node> types = type.is("tuple") ? type.children() : std::vector<Node>{type};
  return std::any_of(types.begin(), types.end(), [&](const Node& one) {
    return one.text() == name || one.text() == "Exception" || one.text() == "BaseException";
  });
}

bool fails_inside(const Context& context, const Node& clause) {
  const Node body = clause.parent().field("body");
  bool found = false;
  body.walk([&](const Node& node) {
    const Node parent = node.parent();
    found = found || (parent.is("block") && context.fails_here(node));
    return !found;
  });
  return found;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node clause = match["clause"];
  const Node type = type_of(clause);
  if (!type) return;
  const bool inside = fails_inside(context, clause);
  const auto add = [&](const std::string& name, double weight) {
    if (catches(type, name)) return;
    const std::string summary = fmt::format("catch {} too", name);
    if (type.is("tuple")) {
      const std::vector<Node> types = type.children();
      if (types.empty()) return;
      const std::size_t end = types.back().span().end;
      out.add(change_of(clause, {end, end}, ", " + name, weight, summary));
    } else {
      out.add(change_of(clause, type.span(), fmt::format("({}, {})", type.text(), name), weight,
                        summary));
      if (!context.symptom().type.empty()) return;
      out.add(change_of(clause, type.span(), fmt::format("({}, {})", name, type.text()),
                        weight * 0.5, summary));
    }
  };
  const Symptom& symptom = context.symptom();
  const std::vector<std::string>& builtins = python_builtins();
  const bool known = std::find(builtins.begin(), builtins.end(), symptom.type) != builtins.end();
  if (known && !symptom.is("AssertionError")) add(symptom.type, inside ? 3 : 0.4);
  // What a failing import or look-up raises besides.
  if (catches(type, "ImportError")) add("AttributeError", inside ? 0.5 : 0.15);
  if (catches(type, "ImportError")) add("OSError", 0.05);
  if (symptom.type.empty()) {
    constexpr std::array<std::string_view, 10> k_common = {
        "RuntimeError",      "ValueError",  "AttributeError",
        "TypeError",         "ImportError", "ModuleNotFoundError",
        "FileNotFoundError", "OSError",     "PermissionError",
        "KeyError"};
    for (const std::string_view name : k_common) add(std::string(name), 0.2);
  }
  if (catches(type, "KeyError") || catches(type, "AttributeError")) add("TypeError", 0.05);
  if (!catches(type, "Exception")) {
    out.replace(type, "Exception", inside ? 0.8 : 0.04,
                fmt::format("catch every exception instead of `{}`", brief(type.text())));
  }
}

}  // namespace

extern constinit const Template k_widen_except = {
    .id = "widen-except",
    .family = Family::version_compatibility,
    .summary = "Let an exception handler take another exception.",
    .language = Language::python,
    .query = "(except_clause) @clause",
    .prior = 0.5,
    .answers = answers::import_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
