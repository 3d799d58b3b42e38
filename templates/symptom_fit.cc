#include "templates/symptom_fit.h"

namespace tenline::templates {

namespace {

/// A kind of failure, and what templates that do not answer it are worth then.
struct Kind {
  unsigned bit = 0;
  double others = 1;
};

Kind kind_of(const Symptom& symptom) {
  if (symptom.is("NameError") || symptom.is("UnboundLocalError")) {
    return {answers::unbound_name, 0.1};
  }
  if (symptom.is("ImportError") || symptom.is("ModuleNotFoundError")) {
    return {answers::import_error, 0.1};
  }
  if (symptom.is("AttributeError")) return {answers::attribute_error, 0.3};
  if (symptom.is("TypeError") && symptom.mentions("argument")) {
    return {answers::wrong_arguments, 0.15};
  }
  if (symptom.is("KeyError")) return {answers::key_error, 0.3};
  if (symptom.is("IndexError")) return {answers::index_error, 0.3};
  return {};
}

}  // namespace

double symptom_fit(const Template& form, const Symptom& symptom) {
  const Kind kind = kind_of(symptom);
  return kind.bit == 0 || (form.answers & kind.bit) != 0 ? 1 : kind.others;
}

}  // namespace tenline::templates
