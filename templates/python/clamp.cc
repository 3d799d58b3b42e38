// A step, a divisor or a count is at least one: `max(1, len(x) // 100)`.

#include <algorithm>

#include "templates/python/arguments.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

bool complains(const Symptom& symptom) {
  return symptom.is("ZeroDivisionError") || symptom.mentions("must not be zero") ||
         symptom.mentions("math domain error") || symptom.mentions("by zero") ||
         symptom.mentions("must be positive") || symptom.mentions("should be positive");
}

/// How likely it is that the value at this place is what has to be positive.
double place_fit(const Context& context, const Node& value) {
  const Node parent = value.parent();
  if (parent.is("binary_operator")) {
    const std::string_view sign = operator_of(parent).text();
    const bool divisor = sign == "/" || sign == "//" || sign == "%";
    return divisor && parent.child(1) == value ? 1 : 0;
  }
  if (parent.is("argument_list")) {
    const std::string_view callee = parent.parent().field("function").text();
    const std::vector<Node> arguments = parent.children();
    if (callee == "range") return arguments.size() == 3 && arguments[2] == value ? 1.2 : 0;
    if (callee.ends_with("log") || callee.ends_with("sqrt")) return arguments[0] == value ? 0.8 : 0;
    return 0;
  }
  if (!parent.is("assignment") || parent.field("right") != value) return 0;
  if (value.is("binary_operator")) {
    const std::string_view sign = operator_of(value).text();
    if (sign == "//" || sign == "/") return sign == "//" ? 1 : 0.2;
    if (sign == "+") return 0.1;
    return sign == "-" ? 0.3 : 0;
  }
  if (value.is("call")) return value.field("function").text() == "int" ? 0.5 : 0;
  // A setting that is kept for later, as a parameter's value.
  for (const Parameter& parameter : parameters_of(enclosing_function(value))) {
    if (parameter.name == value.text()) return context.seen(value) != nullptr ? 0.8 : 0.5;
  }
  return 0;
}

/// `steps = max(2, steps)` before the function's first use of a parameter.
void rebind(const Node& value, std::string_view least, double weight, Proposals& out) {
  const Node function = enclosing_function(value);
  if (!value.is("identifier") || !function) return;
  const std::vector<Parameter> parameters = parameters_of(function);
  const bool known =
      std::any_of(parameters.begin(), parameters.end(),
                  [&](const Parameter& parameter) { return parameter.name == value.text(); });
  if (!known) return;
  for (const Node& statement : function.field("body").children()) {
    bool uses = false;
    statement.walk([&](const Node& node) {
      uses = uses || (node.is("identifier") && node.text() == value.text() && is_use(node));
      return !uses;
    });
    if (!uses) continue;
    if (!starts_line(statement)) return;
    const std::size_t at = statement.span().begin;
    out.add(change_of(
        value, {at, at},
        fmt::format("{0} = max({1}, {0}){2}{3}", value.text(), least, line_end(statement),
                    indentation(statement)),
        weight, fmt::format("make `{}` at least {} throughout the function", value.text(), least)));
    return;
  }
}

/// `most = value` in a loop becomes `most = max(most, value)`: what was found before stays.
void keep_extreme(const Node& value, const Context& context, Proposals& out) {
  const Node assignment = value.parent();
  const Node target = assignment.field("left");
  if (!assignment.is("assignment") || assignment.field("right") != value || !is_plain(target) ||
      !value.ancestor({"for_statement", "while_statement"}) || value.is("string") ||
      value.is("list") || value.is("none") || value.is("true") || value.is("false")) {
    return;
  }
  const auto says = [&](std::string_view word) {
    return last_name(target).find(word) != std::string_view::npos;
  };
  const bool most = says("max") || says("most") || says("long") || says("best") || says("high");
  const bool least = says("min") || says("least") || says("short") || says("low");
  const auto keep = [&](std::string_view function, double weight) {
    const std::string& text = fmt::format("{}({}, {})", function, target.text(), value.text());
    out.replace(value, text, weight * (context.fails_here(value) ? 1.3 : 1),
                fmt::format("keep the {} of `{}`", function, brief(target.text())));
  };
  keep("max", most ? 0.4 : 0.04);
  keep("min", least ? 0.4 : 0.03);
}

/// The logarithm of one is zero: what divides by it wants two.
bool is_divisor_by_logarithm(const Node& value) {
  const Node call = value.parent().parent();
  const Node operation = call.parent();
  return value.parent().is("argument_list") && call.field("function").text().ends_with("log") &&
         operation.is("binary_operator") && operation.field("right") == call &&
         operator_of(operation).text() == "/";
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node value = match["value"];
  keep_extreme(value, context, out);
  if (value.is("integer") || value.is("float")) return;
  double weight = place_fit(context, value);
  const std::string_view called = value.field("function").text();
  if (value.is("call") && called != "len" && called != "int") weight *= 0.3;
  if (weight <= 0) return;
  const Symptom& symptom = context.symptom();
  if (complains(symptom)) {
    weight *= context.fails_here(value) ? 3 : 1.5;
    const SeenValue* seen = context.seen(value);
    if (seen != nullptr && seen->repr == "0") weight *= 1.5;
    if (seen != nullptr && seen->type != "int" && seen->type != "float") weight *= 0.05;
    if (symptom.mentions("domain") && seen != nullptr && seen->repr == "1") weight *= 1.2;
  } else if (symptom.type.empty() || symptom.is("AssertionError")) {
    weight *= 0.06;
  } else {
    return;
  }
  const auto clamp = [&](std::string_view least, double fit) {
    out.replace(value, fmt::format("max({}, {})", least, value.text()), weight * fit,
                fmt::format("make `{}` at least {}", brief(value.text()), least));
  };
  const bool by_logarithm = is_divisor_by_logarithm(value);
  clamp("1", by_logarithm ? 0.5 : 1);
  const double two = symptom.is("ZeroDivisionError") ? 0.5 : 0.1;
  clamp("2", by_logarithm ? 1.2 : two);
  if (!complains(symptom)) clamp("0", 0.4);
  rebind(value, by_logarithm ? "2" : "1", weight * 0.8, out);
}

}  // namespace

extern constinit const Template k_clamp = {
    .id = "clamp",
    .family = Family::arithmetic,
    .summary = "Keep a step, divisor or count at least one.",
    .language = Language::python,
    .query =
        "(binary_operator right: (_) @value)"
        "(call arguments: (argument_list (_) @value))"
        "(assignment right: (_) @value)",
    .prior = 0.7,
    .answers = answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
