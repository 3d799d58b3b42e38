// A value gets the type that its use needs: `int(os.environ[...])`, `len(lengths)`, `str(port)`; or
// loses a conversion that it should not have.

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
  const bool about_type = symptom.mentions(fmt::format("'{}'", conversion.seen_type)) ||
                          symptom.mentions(fmt::format("{} ", conversion.seen_type));
  if (conversion.function == "len" && symptom.mentions("non-int of type")) return 3;
  return about_type ? 2.5 : 0.5;
}

bool wraps(const Node& expression) {
  const Node call = expression.parent().parent();
  if (!call.is("call") || call.field("arguments").children().size() != 1) return false;
  const std::string_view function = call.field("function").text();
  for (const Conversion& conversion : k_conversions) {
    if (function == conversion.function) return true;
  }
  return false;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node expression = match["value"];
  const Node parent = expression.parent();
  if (expression.is("identifier") && !is_use(expression)) return;
  if (parent.is("attribute") && parent.field("object") != expression) return;
  if (parent.is("call") && parent.field("function") == expression) return;
  if (parent.is("keyword_argument") && parent.field("name") == expression) return;
  if ((parent.is("assignment") || parent.is("augmented_assignment") || parent.is("for_statement") ||
       parent.is("for_in_clause")) &&
      parent.field("left") == expression) {
    return;
  }
  if (parent.is("import_statement") || parent.is("dotted_name") || parent.is("type") ||
      parent.is("decorator") || parent.is("argument_list_splat")) {
    return;
  }
  if (wraps(expression)) return;
  const SeenValue* seen = context.seen(expression);
  for (const Conversion& conversion : k_conversions) {
    double weight = conversion.weight * symptom_fit(context, conversion);
    if (seen != nullptr) weight *= seen->type == conversion.seen_type ? 2.5 : 0.2;
    if (conversion.function == "len" && seen == nullptr && !is_plain(expression)) weight *= 0.3;
    out.replace(
        expression, fmt::format("{}({})", conversion.function, expression.text()), weight,
        fmt::format("convert `{}` by `{}()`", brief(expression.text()), conversion.function));
  }
}

}  // namespace

extern constinit const Template k_wrap_conversion = {
    .id = "wrap-conversion",
    .family = Family::parameter_handling,
    .summary = "Convert a value by int, str, len, list and the like.",
    .language = Language::python,
    .query = "[(identifier) (attribute) (call) (subscript)] @value",
    .prior = 0.6,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
