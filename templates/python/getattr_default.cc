// A key or attribute that may be absent is asked for with a default: `getattr(x, "a", None)`,
// `d.get(k, 0)`, `d[k] = d.get(k, 0) + v`, `d.pop(k, None)`.

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// Defaults that other calls of the kind use, with how well they fit.
struct Default {
  std::string text;
  double fit;
};

/// The second arguments of `.get(key, ...)` in the file: of the same key, then of the same object.
std::vector<std::string> sibling_defaults(const Context& context, std::string_view object,
                                          std::string_view key) {
  std::vector<std::string> same_key;
  std::vector<std::string> same_object;
  context.tree().root().walk([&](const Node& node) {
    if (!node.is("call")) return true;
    const Node function = node.field("function");
    const Node arguments = node.field("arguments");
    const std::vector<Node> given = arguments.children();
    if (function.text() == "getattr" && given.size() == 3 && given[1].text() == key) {
      same_key.emplace_back(given[2].text());
    }
    if (function.field("attribute").text() == "get" && given.size() == 2) {
      if (given[0].text() == key) same_key.emplace_back(given[1].text());
      if (function.field("object").text() == object) same_object.emplace_back(given[1].text());
    }
    return true;
  });
  same_key.insert(same_key.end(), same_object.begin(), same_object.end());
  std::vector<std::string> unique;
  for (std::string& text : same_key) {
    const bool plain = text.size() <= 20 && text.find('\n') == std::string::npos;
    if (plain && std::find(unique.begin(), unique.end(), text) == unique.end()) {
      unique.push_back(std::move(text));
    }
  }
  constexpr std::size_t k_most = 3;
  if (unique.size() > k_most) unique.resize(k_most);
  return unique;
}

/// What fits where the value goes: a test takes False, a sum 0, a loop nothing to loop over.
std::vector<Default> defaults_for(const Context& context, const Node& access,
                                  std::string_view object, std::string_view key) {
  std::vector<Default> defaults;
  const auto add = [&](std::string_view text, double fit) {
    const bool known = std::any_of(defaults.begin(), defaults.end(),
                                   [&](const Default& other) { return other.text == text; });
    if (!known) defaults.push_back({std::string(text), fit});
  };
  for (const std::string& text : sibling_defaults(context, object, key)) add(text, 0.9);
  const char quote = usual_quote(access);
  if (object.ends_with("environ")) {
    add("None", 1);
    add(fmt::format("{0}{0}", quote), 0.8);
    add(fmt::format("{0}0{0}", quote), 0.5);
    add(fmt::format("{0}1{0}", quote), 0.4);
    return defaults;
  }
  const Node parent = access.parent();
  const bool condition = parent.is("if_statement") || parent.is("elif_clause") ||
                         parent.is("boolean_operator") || parent.is("not_operator") ||
                         parent.is("while_statement") || parent.is("assert_statement");
  if (condition) {
    add("False", 1);
    add("None", 0.7);
    add("True", 0.3);
    return defaults;
  }
  if (parent.is("binary_operator")) add("0", 0.9);
  if (parent.is("for_statement") || parent.is("for_in_clause")) add("[]", 1);
  if (parent.is("attribute") || parent.is("subscript")) add("{}", 0.6);
  add("None", 0.8);
  add("False", 0.3);
  add("0", 0.25);
  add("[]", 0.15);
  add("{}", 0.15);
  return defaults;
}

bool is_target(const Node& access) {
  const Node parent = access.parent();
  if (parent.is("assignment") || parent.is("augmented_assignment") || parent.is("for_statement") ||
      parent.is("for_in_clause")) {
    return parent.field("left") == access;
  }
  return parent.is("pattern_list") || parent.is("tuple_pattern") || parent.is("delete_statement") ||
         parent.is("as_pattern_target") ||
         (parent.is("call") && parent.field("function") == access) || parent.is("type") ||
         parent.is("decorator") || !access.ancestor({"type", "decorator"}).null();
}

void attribute_access(const Context& context, const Node& access, Proposals& out) {
  const Node object = access.field("object");
  const std::string_view name = access.field("attribute").text();
  if (is_target(access) || object.is("call") || object.text() == "super()") return;
  const Symptom& symptom = context.symptom();
  double weight = object.text() == "self" ? 0.02 : 0.05;
  if (symptom.is("AttributeError") && symptom.name == name && !symptom.mentions("NoneType")) {
    weight = context.fails_here(access) ? 3.5 : 1.5;
  } else if (!symptom.type.empty() && !symptom.is("AssertionError")) {
    return;  // Another failure: the attribute is there, or it is not what is wrong.
  }
  const char quote = usual_quote(access);
  const std::string key = fmt::format("{0}{1}{0}", quote, name);
  for (const Default& fallback : defaults_for(context, access, object.text(), key)) {
    if (weight * fallback.fit < 0.015) continue;
    out.replace(
        access, fmt::format("getattr({}, {}, {})", object.text(), key, fallback.text),
        weight * fallback.fit,
        fmt::format("take {} if `{}` has no `{}`", fallback.text, brief(object.text()), name));
  }
}

/// "'PDSH_ARGS'" of a KeyError against the key's text or the value that it held.
double key_fit(const Context& context, const Node& access, const Node& key) {
  const Symptom& symptom = context.symptom();
  if (!symptom.is("KeyError")) return symptom.type.empty() ? 0.08 : 0.05;
  const std::string_view wanted = symptom.name.empty() ? symptom.message : symptom.name;
  double weight = context.fails_here(access) ? 3 : 0.6;
  if (key.is("string")) {
    weight *= key.text().find(wanted) != std::string_view::npos && !wanted.empty() ? 1.5 : 0.1;
  } else if (const SeenValue* seen = context.seen(key); seen != nullptr && !seen->repr.empty()) {
    weight *= seen->repr.find(wanted) != std::string::npos ? 1.5 : 0.2;
  }
  return weight;
}

void subscript_access(const Context& context, const Node& access, Proposals& out) {
  const Node object = access.field("value");
  const Node key = access.field("subscript");
  if (access.fields("subscript").size() != 1 || is_target(access) || key.is("slice")) return;
  const SeenValue* seen = context.seen(object);
  static const std::set<std::string_view> k_sequences = {"list",   "tuple",   "str",
                                                         "Tensor", "ndarray", "Parameter"};
  if (seen != nullptr && k_sequences.contains(seen->type)) return;
  if (key.is("integer") || key.is("unary_operator")) return;
  double weight = key_fit(context, access, key);
  // An index variable is as often a list's; a string is a mapping's.
  if (!key.is("string") && !context.symptom().is("KeyError")) weight *= 0.3;
  for (const Default& fallback : defaults_for(context, access, object.text(), key.text())) {
    if (weight * fallback.fit < 0.015) continue;
    const std::string argument = fallback.text == "None" ? "" : ", " + fallback.text;
    out.replace(access, fmt::format("{}.get({}{})", object.text(), key.text(), argument),
                weight * fallback.fit,
                fmt::format("take {} if `{}` has no `{}`", fallback.text, brief(object.text()),
                            brief(key.text())));
  }
}

/// `d[k] += v` needs `d[k]`: `d[k] = d.get(k, 0) + v`.
void augmented(const Context& context, const Node& statement, Proposals& out) {
  const Node access = statement.field("left");
  const Node key = access.field("subscript");
  const Node value = statement.field("right");
  const std::string_view sign = statement.field("operator").text();
  if (!access.is("subscript") || sign.size() < 2 || key.is("slice") || key.is("integer")) return;
  const std::string empty_text(2, usual_quote(statement));
  std::string_view neutral = sign == "*=" ? "1" : "0";
  if (value.is("string") || value.is("concatenated_string")) neutral = empty_text;
  if (value.is("list") || value.is("list_comprehension")) neutral = "[]";
  const SeenValue* seen = context.seen(value);
  if (seen != nullptr && seen->type == "str") neutral = empty_text;
  if (seen != nullptr && seen->type == "list") neutral = "[]";
  const double weight = key_fit(context, access, key);
  std::vector<std::string_view> choices = {neutral};
  if (neutral == "0" && seen == nullptr && sign == "+=" && !value.is("integer")) {
    choices.emplace_back(empty_text);
    choices.emplace_back("[]");
  }
  double fit = 1;
  const std::string object(access.field("value").text());
  for (const std::string_view choice : choices) {
    out.replace(
        statement,
        fmt::format("{} = {}.get({}, {}) {} {}", access.text(), object, key.text(), choice,
                    sign.substr(0, sign.size() - 1), in_parentheses(value)),
        weight * fit,
        fmt::format("begin with {} if `{}` has no `{}`", choice, brief(object), brief(key.text())));
    fit *= 0.7;
  }
}

/// `d.pop(k)` and `getattr(x, "a")` take a default themselves.
void call_without_default(const Context& context, const Node& call, Proposals& out) {
  const Node function = call.field("function");
  const std::vector<Node> given = call.field("arguments").children();
  const bool pops = function.field("attribute").text() == "pop" && given.size() == 1;
  const bool gets = function.text() == "getattr" && given.size() == 2;
  const bool next = function.text() == "next" && given.size() == 1;
  if (!pops && !gets && !next) return;
  if (pops && (given[0].is("integer") || given[0].is("unary_operator"))) return;
  const Symptom& symptom = context.symptom();
  double weight = pops ? key_fit(context, call, given[0]) : 0.08;
  if (gets && symptom.is("AttributeError")) weight = context.fails_here(call) ? 2.5 : 0.5;
  if (next && symptom.is("StopIteration")) weight = 2.5;
  const std::size_t end = given.back().span().end;
  for (const std::string_view fallback : {"None", "False"}) {
    if (fallback == "False" && !gets) continue;
    out.add(change_of(call, {end, end}, fmt::format(", {}", fallback), weight,
                      fmt::format("take {} if there is none: `{}`", fallback, brief(call.text()))));
    weight *= 0.6;
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  if (const Node access = match["attribute"]) attribute_access(context, access, out);
  if (const Node access = match["subscript"]) subscript_access(context, access, out);
  if (const Node statement = match["augmented"]) augmented(context, statement, out);
  if (const Node call = match["call"]) call_without_default(context, call, out);
}

}  // namespace

extern constinit const Template k_getattr_default = {
    .id = "getattr-default",
    .family = Family::precondition_guard,
    .summary = "Take a default where an attribute or key is absent.",
    .language = Language::python,
    .query =
        "(attribute object: (_)) @attribute"
        "(subscript) @subscript"
        "(augmented_assignment left: (subscript)) @augmented"
        "(call) @call",
    .prior = 0.7,
    .answers = answers::attribute_error | answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
