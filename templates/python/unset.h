#pragma once

// Names and attributes that code at a place may find without a value.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "templates/context.h"
#include "templates/python/gaps.h"

namespace tenline::templates {

/// How a name is used, as far as that tells what kind of value it starts with.
struct Usage {
  bool counted = false;    ///< `x += 1`
  bool appended = false;   ///< `x.append(1)`
  bool keyed = false;      ///< `x["k"] = 1`, `x.update(...)`
  bool condition = false;  ///< `if x:`
};

/// A name that has no value yet at a gap.
struct Unset {
  std::string_view name;
  double weight = 1;   ///< How likely that is a mistake.
  bool bound = false;  ///< The function binds it, but somewhere else.
  Usage usage;
  std::vector<Node> assignments;  ///< `name = value` of the same function, in source order.
};

/// The names that the function around a gap (or the module) uses behind it and that no statement
/// before the gap is sure to have bound; likeliest first, at most a dozen.
[[nodiscard]] std::vector<Unset> unset_names(const Context& context, const Gap& gap);

/// Constants that a name may start with, with weights that fall from 1.
[[nodiscard]] std::vector<std::pair<std::string_view, double>> initial_values(std::string_view name,
                                                                              const Usage& usage);

/// Attributes of self that the class around uses and that neither it nor a base known to the
/// repository sets; methods are not among them.
[[nodiscard]] std::vector<std::string_view> unset_attributes(const Context& context,
                                                             const Node& owner);

/// The names that code at a gap can use, for look-up.
class Scope {
 public:
  Scope(const Context& context, const Gap& gap);
  /// True for names that are bound before the gap, or outside the function.
  [[nodiscard]] bool has(std::string_view name) const { return bound_.contains(name); }
  /// True if all names that an expression or statement reads have a value.
  [[nodiscard]] bool can_run(const Node& node) const;
  [[nodiscard]] const std::vector<std::string_view>& locals() const { return locals_; }

 private:
  std::set<std::string_view> bound_;
  std::vector<std::string_view> locals_;  ///< Parameters and locals bound before the gap.
};

/// The arguments of a call of the function from names in scope, those with a default left out;
/// nothing where one is missing or there are more than three.
[[nodiscard]] std::optional<std::string> arguments_for(const PythonFunction& function,
                                                       const Scope& scope);

}  // namespace tenline::templates
