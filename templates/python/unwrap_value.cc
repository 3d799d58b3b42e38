// A value as it is, without the index, conversion, method or star around it; a method that is
// called, or no longer called; a method moved from an argument to the call's result.

#include <algorithm>
#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

double symptom_fit(const Context& context, const Node& node) {
  return context.fails_here(node) ? 1.3 : 1;
}

void unwrap_subscript(const Node& node, const Context& context, Proposals& out) {
  const std::vector<Node> indexes = node.fields("subscript");
  const Node value = node.field("value");
  if (indexes.size() != 1) return;
  const Symptom& symptom = context.symptom();
  const bool named = indexes[0].is("string") || indexes[0].is("identifier");
  double weight = named ? 0.08 : 0.35;
  if (symptom.is("TypeError") && symptom.mentions("not subscriptable")) weight *= 3;
  if (symptom.is("IndexError")) weight *= 1.5;
  if (node.parent().is("assignment") && node.parent().field("left") == node) weight *= 0.3;
  Proposal proposal =
      change_of(node, {value.span().end, node.span().end}, "", weight * symptom_fit(context, node),
                fmt::format("drop the index of `{}`", brief(node.text())));
  proposal.repeatable = true;
  out.add(std::move(proposal));
}

void unwrap_call(const Node& call, const Context& context, Proposals& out) {
  static constexpr std::array<std::string_view, 16> k_conversions = {
      "int", "str",    "float", "list", "tuple", "set",  "dict", "bool",
      "len", "sorted", "abs",   "iter", "next",  "type", "repr", "reversed"};
  const Node function = call.field("function");
  const std::vector<Node> arguments = call.field("arguments").children();
  if (!call.field("arguments").is("argument_list") || call.parent().is("decorator")) return;
  const double fit = symptom_fit(context, call);
  const bool for_effect = call.parent().is("expression_statement");
  if (arguments.size() == 1 && !arguments[0].is("keyword_argument") &&
      !arguments[0].is("list_splat") && !arguments[0].is("dictionary_splat")) {
    const bool conversion = std::find(k_conversions.begin(), k_conversions.end(),
                                      function.text()) != k_conversions.end();
    double weight = conversion ? 0.3 : 0.12;
    if (for_effect) weight = 0;
    // Several lines need a bracket around them.
    const bool long_text = arguments[0].line() != arguments[0].end_line();
    const std::string value =
        long_text ? fmt::format("({})", arguments[0].text()) : in_parentheses(arguments[0]);
    out.replace(
        call, value, weight * fit,
        fmt::format("use `{}` without `{}()`", brief(arguments[0].text()), brief(function.text())));
  }
  if (!function.is("attribute") || !arguments.empty()) return;
  const Node object = function.field("object");
  const Symptom& symptom = context.symptom();
  const bool not_a_function = symptom.is("TypeError") && symptom.mentions("not callable");
  out.add(change_of(call, {function.span().end, call.span().end}, "",
                    not_a_function && context.fails_here(call) ? 2.5 : 0.2,
                    fmt::format("use `{}` without calling it", brief(function.text()))));
  if (object.text() == "self" || object.text() == "super()") return;
  const bool missing =
      symptom.is("AttributeError") && symptom.name == function.field("attribute").text();
  double weight = missing ? 1.5 : 0.2 * fit;
  if (for_effect) weight = 0;
  out.add(change_of(call, {object.span().end, call.span().end}, "", weight,
                    fmt::format("use `{}` without `.{}()`", brief(object.text()),
                                function.field("attribute").text())));
}

/// `x.size` that should be `x.size()`.
void call_method(const Node& attribute, const Context& context, Proposals& out) {
  const Node parent = attribute.parent();
  const bool called = parent.is("call") && parent.field("function") == attribute;
  if (called || parent.is("attribute") || !is_value(attribute)) return;
  const Symptom& symptom = context.symptom();
  const bool is_method = symptom.mentions("'method'") || symptom.mentions("bound method") ||
                         symptom.mentions("'builtin_function_or_method'") ||
                         symptom.mentions("'function'");
  const SeenValue* seen = context.seen(attribute);
  const bool seen_method = seen != nullptr && (seen->type == "method" || seen->type == "function" ||
                                               seen->type == "builtin_function_or_method");
  double weight = is_method || seen_method ? 2 : 0.08;
  const std::string_view name = attribute.field("attribute").text();
  const std::vector<PythonFunction>& known = context.index().functions(name);
  const bool property_like = std::any_of(known.begin(), known.end(), [](const PythonFunction& f) {
    return !f.class_name.empty() && f.parameters.empty();
  });
  if (property_like) weight = std::max(weight, 0.3);
  const std::size_t end = attribute.span().end;
  out.add(change_of(attribute, {end, end}, "()", weight,
                    fmt::format("call `{}`", brief(attribute.text()))));
}

/// `f(x.size())` for `f(x).size()`, and the other way round.
void move_method(const Node& call, const Context& context, Proposals& out) {
  const auto is_getter = [](const Node& node) {
    return node.is("call") && node.field("function").is("attribute") &&
           node.field("arguments").is("argument_list") &&
           node.field("arguments").children().empty();
  };
  const auto fit = [&](const Node& getter) {
    const Symptom& symptom = context.symptom();
    return symptom.is("AttributeError") &&
                   symptom.name == getter.field("function").field("attribute").text()
               ? 2
               : 0.1;
  };
  const std::vector<Node> arguments = call.field("arguments").children();
  const auto method_of = [](const Node& getter) {
    const std::size_t begin = getter.field("function").field("object").span().end;
    return Span{begin, getter.span().end};
  };
  const std::string_view source = call.source();
  if (arguments.size() == 1 && is_getter(arguments[0])) {
    const Span method = method_of(arguments[0]);
    const std::size_t end = call.span().end;
    const std::string text(source.substr(method.begin, method.size()));
    out.add({{{method, ""}, {{end, end}, text}},
             call,
             fit(arguments[0]),
             fmt::format("call `{}` on the result", brief(text)),
             false});
  }
  const Node inner = call.field("function").field("object");
  if (is_getter(call) && inner.is("call") && inner.field("arguments").children().size() == 1) {
    const Node argument = inner.field("arguments").child(0);
    if (argument.is("keyword_argument") || !is_plain(argument)) return;
    const Span method = method_of(call);
    const std::string text(source.substr(method.begin, method.size()));
    const std::size_t end = argument.span().end;
    out.add({{{{end, end}, text}, {method, ""}},
             call,
             fit(call),
             fmt::format("call `{}` on the argument", brief(text)),
             false});
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["node"];
  if (node.is("subscript")) {
    if (node.ancestor({"type"}).null()) unwrap_subscript(node, context, out);
  } else if (node.is("call")) {
    unwrap_call(node, context, out);
    move_method(node, context, out);
  } else if (node.is("attribute")) {
    call_method(node, context, out);
  } else if (node.is("list_splat") && node.parent().is("argument_list")) {
    const std::size_t begin = node.span().begin;
    out.add(change_of(node, {begin, begin + 1}, "", 0.15,
                      fmt::format("pass `{}` unspread", brief(node.child(0).text()))));
  }
}

}  // namespace

extern constinit const Template k_unwrap_value = {
    .id = "unwrap-value",
    .family = Family::parameter_handling,
    .summary = "Take a value without its index, conversion or method, or call a method.",
    .language = Language::python,
    .query = "[(subscript) (call) (attribute) (list_splat)] @node",
    .prior = 0.6,
    .answers = answers::attribute_error | answers::wrong_arguments | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
