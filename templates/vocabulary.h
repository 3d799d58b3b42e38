#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/syntax/tree.h"

namespace tenline::templates {

class Context;

/// A statement of the file: a call, an assignment, a `del`, an `if` with one or two of those or an
/// exit in it. New ones are modelled on it.
struct Model {
  Node node;
  Node function;  ///< Around it; null outside functions.
  Node owner;     ///< The class around it, or null.
  int count = 1;  ///< How often the file has the same text.
};

/// How a class uses one attribute of self.
struct SelfAttribute {
  bool is_read = false;
  bool is_called = false;
  bool is_set = false;                   ///< By an assignment of the class's own text.
  std::vector<std::string_view> values;  ///< Constants that are assigned to it, without repeats.
};

using SelfAttributes = std::map<std::string_view, SelfAttribute>;

/// What the statements of one file are made of. Texts and nodes live as long as the tree.
class Vocabulary {
 public:
  explicit Vocabulary(const Context& context);

  /// In source order, one per text and class.
  [[nodiscard]] const std::vector<Model>& models() const { return models_; }
  /// Of a `class_definition`, nested functions included; empty for other nodes.
  [[nodiscard]] const SelfAttributes& self_attributes(const Node& owner) const;
  /// Uses of names that nothing in the file binds, in source order, the first of each function.
  /// Strings of `__all__` and types in quotes count as uses.
  [[nodiscard]] const std::vector<Node>& unbound() const { return unbound_; }
  /// Assignments `name = value` by name, in source order.
  [[nodiscard]] const std::vector<Node>& assignments_to(std::string_view name) const;
  /// True for an identifier that is written somewhere in the file.
  [[nodiscard]] bool has(std::string_view identifier) const {
    return identifiers_.contains(identifier);
  }
  /// Objects that the file reads this attribute of, as written: `args` of `args.x`.
  [[nodiscard]] const std::set<std::string_view>& objects_with(std::string_view attribute) const;
  /// Attributes that the file reads of an object as written.
  [[nodiscard]] const std::set<std::string_view>& attributes_of(std::string_view object) const;
  /// True if the file has `from x import *`, so that any name may be bound.
  [[nodiscard]] bool imports_all() const { return imports_all_; }

 private:
  void read_class(const Node& owner);
  void read_statement(const Node& statement);
  void find_unbound(const Context& context);

  std::vector<Model> models_;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> model_by_text_;
  std::map<std::size_t, SelfAttributes> attributes_by_class_;
  std::vector<Node> unbound_;
  std::map<std::string_view, std::vector<Node>> assignments_;
  std::set<std::string_view> identifiers_;
  std::map<std::string_view, std::set<std::string_view>> objects_;
  std::map<std::string_view, std::set<std::string_view>> members_;
  bool imports_all_ = false;
};

/// True for None, True, False, numbers, empty strings and empty displays.
[[nodiscard]] bool is_constant(const Node& expression);

}  // namespace tenline::templates
