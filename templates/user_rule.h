#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "templates/context.h"
#include "templates/template.h"
#include "templates/user_text.h"

namespace tenline::templates {

/// What the names of a rule stand for at one match: captured nodes, and values of holes.
class Bindings {
 public:
  explicit Bindings(const Match& match) : match_(&match) {}
  void set(const std::string& hole, std::string value) { values_[hole] = std::move(value); }
  [[nodiscard]] Node node(std::string_view name) const { return (*match_)[name]; }
  /// Empty where the name stands for nothing here.
  [[nodiscard]] std::string_view text(std::string_view name) const;

 private:
  const Match* match_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// What must hold of a capture's node or of a hole's value.
struct Constraint {
  std::string subject;
  std::string other;  ///< A second name that it speaks of, or empty.
  std::function<bool(const Bindings&)> holds;
};

/// One edit of a rule. All steps of a rule are made together.
struct RuleStep {
  enum class Action { replace, insert_before, insert_after, remove, add_argument, add_import };
  Action action = Action::replace;
  std::string capture;
  RewriteText text;
};

/// The rewrite of a template that comes from data.
struct Rule final : Rewrite::Object {
  std::vector<RuleStep> steps;
  std::vector<HoleIngredient> ingredients;  ///< Of all steps.
  std::vector<Constraint> constraints;
  /// What decides lies within the outermost capture, so an equal node can be edited alike.
  bool repeatable = false;

  void rewrite(const Match& match, const Context& context, Proposals& out) const override;
};

}  // namespace tenline::templates
