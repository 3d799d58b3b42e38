#include "templates/symptom_fit.h"

#include <gtest/gtest.h>

namespace tenline::templates {
namespace {

Template answering(unsigned bits) {
  return {.id = "t",
          .family = Family::other,
          .summary = "",
          .language = Language::python,
          .query = "",
          .prior = 1,
          .answers = bits,
          .rewrite = Rewrite([](const Match&, const Context&, Proposals&) {})};
}

Symptom failure(const std::string& type, const std::string& message = {}) {
  Symptom symptom;
  symptom.type = type;
  symptom.message = message;
  return symptom;
}

TEST(SymptomFitTest, WhatAnswersTheFailureCountsFully) {
  const Template form = answering(answers::key_error | answers::unbound_name);
  EXPECT_EQ(symptom_fit(form, failure("KeyError")), 1);
  EXPECT_EQ(symptom_fit(form, failure("NameError")), 1);
  EXPECT_EQ(symptom_fit(form, failure("UnboundLocalError")), 1);
  EXPECT_LT(symptom_fit(form, failure("IndexError")), 1);
  EXPECT_LT(symptom_fit(form, failure("ModuleNotFoundError")), 1);
}

TEST(SymptomFitTest, FailuresThatNameNothingLeaveAllAlike) {
  const Template form = answering(0);
  EXPECT_EQ(symptom_fit(form, failure("RuntimeError")), 1);
  EXPECT_EQ(symptom_fit(form, failure("TypeError", "'int' object is not callable")), 1);
  EXPECT_EQ(symptom_fit(form, failure("")), 1);
  EXPECT_LT(symptom_fit(form, failure("TypeError", "unexpected keyword argument 'x'")), 1);
}

TEST(SymptomFitTest, EachFailureHasTemplatesThatAnswerIt) {
  for (const unsigned bit : {answers::unbound_name, answers::import_error, answers::attribute_error,
                             answers::wrong_arguments, answers::key_error, answers::index_error}) {
    int count = 0;
    for (const Template* form : registry()) count += (form->answers & bit) != 0 ? 1 : 0;
    EXPECT_GE(count, 5) << bit;
  }
}

}  // namespace
}  // namespace tenline::templates
