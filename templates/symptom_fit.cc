#include "templates/symptom_fit.h"

namespace tenline::templates {

namespace {

/// The templates that answer a kind of failure, and what the others are worth then.
struct Answers {
  std::string_view templates;  ///< Ids, each between blanks.
  double others;
};

constexpr Answers k_unbound = {
    " replace-name missing-import add-import failing-import initialize define-name rename-target"
    " move-to move-statement use-result store-attribute add-parameter uncomment merge-marker"
    " rename-keyword ",
    0.1};
constexpr Answers k_import = {
    " missing-import add-import failing-import replace-name replace-attribute move-to add-element"
    " delete-statement widen-except ",
    0.1};
constexpr Answers k_attribute = {
    " replace-attribute replace-object replace-name replace-expression add-suffix unwrap-value"
    " getattr-default guard-none guard-attribute wrap-in-if add-clause exit-early conditional-value"
    " if-else store-attribute initialize rename-target swap-api change-index failing-import"
    " missing-import add-import wrap-call unpack-tuple loop-target ",
    0.3};
constexpr Answers k_arguments = {
    " forward-argument pass-positional pass-spread change-argument name-arguments drop-argument"
    " rename-keyword swap-arguments add-parameter change-parameter default-value replace-attribute"
    " replace-name swap-api replace-object unwrap-value add-suffix add-decorator default-factory ",
    0.15};
constexpr Answers k_key = {
    " replace-literal edit-string getattr-default add-clause wrap-in-if guard-none exit-early"
    " conditional-value replace-expression replace-name replace-attribute add-element initialize"
    " change-argument replace-condition change-condition if-else add-suffix wrap-conversion"
    " wrap-call ",
    0.3};
constexpr Answers k_index = {
    " change-index clamp change-arithmetic guard-empty change-comparison replace-number"
    " replace-literal add-clause wrap-in-if exit-early replace-expression replace-name"
    " replace-condition unwrap-value add-suffix loop-target add-operand conditional-value"
    " replace-attribute ",
    0.3};

const Answers* answers_to(const Symptom& symptom) {
  if (symptom.is("NameError") || symptom.is("UnboundLocalError")) return &k_unbound;
  if (symptom.is("ImportError") || symptom.is("ModuleNotFoundError")) return &k_import;
  if (symptom.is("AttributeError")) return &k_attribute;
  if (symptom.is("TypeError") && symptom.mentions("argument")) return &k_arguments;
  if (symptom.is("KeyError")) return &k_key;
  if (symptom.is("IndexError")) return &k_index;
  return nullptr;
}

}  // namespace

double symptom_fit(std::string_view template_id, const Symptom& symptom) {
  const Answers* answers = answers_to(symptom);
  if (answers == nullptr) return 1;
  std::size_t at = answers->templates.find(template_id);
  while (at != std::string_view::npos) {
    const std::size_t end = at + template_id.size();
    if (answers->templates[at - 1] == ' ' && answers->templates[end] == ' ') return 1;
    at = answers->templates.find(template_id, end);
  }
  return answers->others;
}

}  // namespace tenline::templates
