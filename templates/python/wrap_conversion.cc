// A value gets the type that its use needs: `int(os.environ[...])`, `len(lengths)`, `str(port)`; or
// loses a conversion that it should not have.

#include <algorithm>
#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct Conversion {
  std::string_view function;
  std::string_view seen_type;  ///< Fits values of this type best.
  double weight;
};

constexpr std::array k_conversions = {
    Conversion{"int", "str", 0.6},     Conversion{"float", "str", 0.3},
    Conversion{"str", "int", 0.3},     Conversion{"len", "list", 0.4},
    Conversion{"list", "tuple", 0.3},  Conversion{"tuple", "list", 0.25},
    Conversion{"bool", "str", 0.1},    Conversion{"set", "list", 0.1},
    Conversion{"dict", "list", 0.05},  Conversion{"abs", "int", 0.05},
    Conversion{"sorted", "set", 0.05},
};

/// From what the message says of types: "'>=' not supported between instances of 'str' and 'int'".
double symptom_fit(const Context& context, const Conversion& conversion) {
  const Symptom& symptom = context.symptom();
  if (symptom.type.empty()) return 0.6;
  if (!symptom.is("TypeError") && !symptom.is("ValueError") && !symptom.is("AttributeError") &&
      !symptom.is("RuntimeError")) {
    return 0.4;
  }
  const bool quoted = std::find(symptom.types.begin(), symptom.types.end(), conversion.seen_type) !=
                      symptom.types.end();
  const bool about_type = quoted || symptom.mentions(fmt::format("{} ", conversion.seen_type));
  if (conversion.function == "len" && symptom.mentions("non-int of type")) return 3;
  if (conversion.function == "str" && symptom.mentions("can only concatenate str")) return 5.1;
  return about_type ? 2.5 : 0.5;
}

bool is_conversion(const Node& call) {
  return std::any_of(k_conversions.begin(), k_conversions.end(), [&](const Conversion& known) {
    return call.is("call") && call.field("function").text() == known.function;
  });
}

bool is_wrapped(const Node& expression) {
  const Node call = expression.parent().parent();
  return is_conversion(call) && call.field("arguments").children().size() == 1;
}

bool is_module(const Node& expression, const Context& context) {
  const std::vector<Name>& names = context.names(expression);
  return expression.is("identifier") &&
         std::any_of(names.begin(), names.end(), [&](const Name& name) {
           return name.kind == NameKind::import && name.text == expression.text();
         });
}

/// How well a converted value fits where the expression stands; 0 where it makes no sense.
double fit_of_place(const Node& expression, const Conversion& conversion) {
  const Node parent = expression.parent();
  const bool container = conversion.function == "list" || conversion.function == "tuple" ||
                         conversion.function == "sorted";
  if (parent.is("subscript") && parent.field("value") == expression) return container ? 1 : 0;
  if (parent.is("for_statement") || parent.is("for_in_clause")) return container ? 1 : 0;
  if (parent.is("interpolation")) return conversion.function == "len" ? 0.5 : 0;
  if (conversion.function == "len" && !is_plain(expression)) return 0.3;
  return 1;
}

/// "'float' object is not iterable": one thing where several are expected.
bool symptom_is_iterable(const Context& context) {
  const Symptom& symptom = context.symptom();
  return symptom.is("TypeError") &&
         (symptom.mentions("not iterable") || symptom.mentions("not subscriptable") ||
          symptom.mentions("has no len()"));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node expression = match["value"];
  const Node parent = expression.parent();
  if (!is_value(expression) || expression.text() == "self" || is_module(expression, context)) {
    return;
  }
  if (parent.is("await") || parent.is("expression_statement") ||
      (parent.is("call") && parent.field("function") == expression)) {
    return;
  }
  if (is_wrapped(expression) || is_conversion(expression)) return;
  // What belongs to the class: `x.fields` of `type(x)`.
  if (parent.is("attribute")) {
    if (!is_plain(expression)) return;
    return out.replace(expression, fmt::format("type({})", expression.text()), 0.06,
                       fmt::format("the class of `{}`", brief(expression.text())));
  }
  const SeenValue* seen = context.seen(expression);
  for (const Conversion& conversion : k_conversions) {
    double weight =
        conversion.weight * symptom_fit(context, conversion) * fit_of_place(expression, conversion);
    if (seen != nullptr) weight *= seen->type == conversion.seen_type ? 2.5 : 0.2;
    if (context.fails_here(expression)) weight *= 1.3;
    constexpr double k_least = 0.05;
    if (weight < k_least) continue;
    out.replace(
        expression, fmt::format("{}({})", conversion.function, expression.text()), weight,
        fmt::format("convert `{}` by `{}()`", brief(expression.text()), conversion.function));
  }
  if (parent.is("interpolation") || parent.is("subscript")) return;
  const double iterable = symptom_is_iterable(context) ? 6 : 1;
  out.replace(expression, fmt::format("[{}]", expression.text()), 0.12 * iterable,
              fmt::format("a list of `{}`", brief(expression.text())));
  out.replace(expression, fmt::format("({},)", expression.text()), 0.06 * iterable,
              fmt::format("a tuple of `{}`", brief(expression.text())));
}

}  // namespace

extern constinit const Template k_wrap_conversion = {
    .id = "wrap-conversion",
    .family = Family::parameter_handling,
    .summary = "Convert a value by int, str, len, list and the like.",
    .language = Language::python,
    .query =
        "[(identifier) (attribute) (call) (subscript)] @value"
        " (return_statement [(float) (integer) (string)] @value)",
    .prior = 0.6,
    .answers = answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
