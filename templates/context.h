#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/bug_report.h"
#include "engine/core/failure.h"
#include "engine/core/location.h"
#include "engine/syntax/python_index.h"
#include "engine/syntax/python_scope.h"
#include "engine/syntax/tree.h"
#include "templates/distant.h"
#include "templates/ingredients.h"

namespace tenline::templates {

class Vocabulary;
struct FileTests;

/// The failure in the terms that templates ask about; empty where it is not known.
struct Symptom {
  std::string type;  ///< `AttributeError`, without its module.
  std::string message;
  std::string name;   ///< The name that the message is about: attribute, variable, keyword, key.
  std::string owner;  ///< The type or function that it is about.
  std::vector<std::string> types;  ///< Further type names in quotes: `str`, `NoneType`.

  [[nodiscard]] bool is(std::string_view exception) const { return type == exception; }
  [[nodiscard]] bool mentions(std::string_view text) const {
    return message.find(text) != std::string::npos;
  }
};

/// The main exception of the trace, or where there is none the issue's.
[[nodiscard]] Symptom read_symptom(const BugReport& report, const FailureTrace& trace);

/// The object that a string literal is a key of, as in `d["k"]`, `d.get("k")` or `"k" in d`; null
/// for other strings.
[[nodiscard]] Node keyed_object(const Node& string);

/// What a template may fill its holes with: one file, and what is known of the failure and of the
/// repository. Everything it refers to must outlive it.
class Context {
 public:
  struct Inputs {
    const std::string& file;
    const Tree& tree;
    const BugReport& report;
    const FailureTrace& trace;
    const PythonIndex& index;
    const Symptom& symptom;
    const std::vector<Location>& locations;  ///< Of all files.
  };
  explicit Context(const Inputs& inputs);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const std::string& file() const { return in_.file; }
  [[nodiscard]] const Tree& tree() const { return in_.tree; }
  [[nodiscard]] const PythonIndex& index() const { return in_.index; }
  [[nodiscard]] const Symptom& symptom() const { return in_.symptom; }

  /// The location score of the place where a node stands; 0 where nothing points to it.
  [[nodiscard]] double score(const Node& node) const;
  /// The score of a line of this file; 0 where nothing points to it.
  [[nodiscard]] double line_score(int line) const;
  /// A line's text without its end; nothing for lines that the file does not have.
  [[nodiscard]] std::optional<std::string_view> line_text(int line) const;
  /// True if the failure's innermost repository frame stands on this node's statement.
  [[nodiscard]] bool fails_here(const Node& node) const;
  /// True if the failure comes from a `raise` or `assert` of this file: a condition decided for it.
  [[nodiscard]] bool raised_on_purpose() const { return raised_on_purpose_; }
  /// What an expression held when the failure passed through its function; null if not seen.
  [[nodiscard]] const SeenValue* seen(const Node& expression) const;
  /// True if the issue's text names it as code.
  [[nodiscard]] bool in_issue(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& issue_literals() const;
  [[nodiscard]] const std::vector<std::string>& issue_names() const;

  /// Names usable at a node, innermost first, without builtins.
  [[nodiscard]] const std::vector<Name>& names(const Node& at) const;
  /// The same as a set, builtins that are functions included.
  [[nodiscard]] const std::unordered_set<std::string_view>& name_set(const Node& at) const;
  /// The expressions of the file; read at the first call.
  [[nodiscard]] const Ingredients& ingredients() const;
  /// What other files write behind the objects of this one; read at the first call.
  [[nodiscard]] const DistantValues& distant() const;
  /// Names read as `object.name` somewhere in the file, or members of its class where it is known.
  [[nodiscard]] std::vector<std::string> members(const Node& object,
                                                 std::string_view known_member) const;
  /// String keys that the same object is read or written with in the file, as written.
  [[nodiscard]] std::vector<std::string> keys(const Node& object) const;
  /// The signature of a call's callee, as found in the repository; null where it is not.
  [[nodiscard]] const PythonFunction* callee(const Node& call) const;
  /// The attributes of the file that end in this name, such as `self.config.name`, with the lines
  /// on which they stand; and the values that calls of the file pass by this keyword.
  using Uses = std::map<std::string, std::vector<int>>;
  [[nodiscard]] const Uses& attributes(std::string_view name) const;
  /// All of them, by their last names.
  using UsesByName = std::map<std::string, Uses, std::less<>>;
  [[nodiscard]] const UsesByName& attributes() const { return attributes_; }
  [[nodiscard]] const Uses& keyword_values(std::string_view keyword) const;
  /// The calls of the file whose function has this last name, in order.
  [[nodiscard]] const std::vector<Node>& calls(std::string_view called) const;
  /// All string literals of the file, as written, unique, in order.
  [[nodiscard]] const std::vector<std::string>& string_literals() const;
  /// What the file's statements are made of; collected at the first call.
  [[nodiscard]] const Vocabulary& vocabulary() const;

  /// What the file's conditions ask, and what new ones may be made of; read at the first call.
  [[nodiscard]] const FileTests& tests() const;

 private:
  Inputs in_;
  bool raised_on_purpose_ = false;
  std::map<int, double> scores_;  ///< By line, for this file.
  std::set<std::string, std::less<>> issue_names_;
  std::map<std::string, std::set<std::string>, std::less<>> members_by_object_;
  std::map<std::string, std::set<std::string>, std::less<>> keys_by_object_;
  UsesByName attributes_;
  UsesByName keyword_values_;
  std::map<std::string, std::vector<Node>, std::less<>> calls_;
  std::vector<std::string> string_literals_;
  mutable std::map<std::size_t, std::vector<Name>> names_by_scope_;
  mutable std::map<const void*, std::unordered_set<std::string_view>> name_sets_;
  mutable std::unique_ptr<const Ingredients> ingredients_;
  mutable std::unique_ptr<const DistantValues> distant_;
  mutable std::unique_ptr<Vocabulary> vocabulary_;
  std::vector<std::string_view> lines_;
  mutable std::shared_ptr<const FileTests> tests_;
};

}  // namespace tenline::templates
