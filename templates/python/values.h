#pragma once

// What an argument or variable of a given name could be given.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "templates/context.h"

namespace tenline::templates {

/// The expressions that code at a place could use. Refers to the context, which must outlive it.
class Values {
 public:
  using Weighted = std::vector<std::pair<std::string, double>>;

  Values(const Node& at, const Context& context);

  /// Values for something of this name, heaviest first, weights at most 1. `callee` is the function
  /// that is called, if any; `fallback` what it would have otherwise, as written.
  [[nodiscard]] Weighted of(std::string_view name, std::string_view callee,
                            std::string_view fallback, std::size_t most) const;

  [[nodiscard]] bool visible(std::string_view name) const { return names_.contains(name); }
  /// True if all names that an expression begins with can be used here.
  [[nodiscard]] bool usable(std::string_view expression) const;
  /// The objects whose attributes the function around the place uses, with how often.
  [[nodiscard]] const std::map<std::string_view, int>& objects() const { return objects_; }
  /// Members of the class around the place.
  [[nodiscard]] const std::set<std::string>& members() const { return members_; }

 private:
  class Collector;
  void add_passed(std::string_view name, std::string_view callee, Collector& found) const;
  void add_attributes(std::string_view name, Collector& found) const;
  void add_members(std::string_view name, Collector& found) const;
  void add_names(std::string_view name, Collector& found) const;
  void add_literals(std::string_view name, std::string_view fallback, Collector& found) const;

  const Context& context_;
  Node at_;
  Node function_;
  std::string class_name_;
  std::set<std::string_view> names_;
  std::set<std::string> members_;
  std::map<std::string_view, int> objects_;
  std::vector<std::string_view> near_;  ///< Plain expressions of the statement at the place.
};

/// How well a name fits another: `dp_group` is a `group`.
[[nodiscard]] double kinship(std::string_view name, std::string_view other);

}  // namespace tenline::templates
