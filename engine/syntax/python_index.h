#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/syntax/tree.h"

namespace tenline {

enum class ParameterKind { normal, keyword_only, star, double_star };

struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::normal;
  bool has_default = false;
  std::string default_text;
  std::string type_text;  ///< Its annotation; empty where it has none.
};

/// A function or method of the repository, by what its definition says.
struct PythonFunction {
  std::string file;
  int line = 0;
  std::string name;
  std::string class_name;             ///< Empty for plain functions.
  std::vector<Parameter> parameters;  ///< Without `self` or `cls`.
};

struct PythonClass {
  std::string file;
  int line = 0;
  std::string name;
  std::vector<std::string> bases;  ///< Last part of each dotted name.
  std::set<std::string> members;   ///< Methods, class variables and `self.` attributes.
};

/// What one Python file defines and uses. Made once per version of a file: the versions of a
/// repository share most of their files.
struct PythonFacts {
  template <class T>
  using ByName = std::map<std::string, T, std::less<>>;
  std::vector<PythonFunction> functions;
  std::vector<PythonClass> classes;
  std::vector<std::string> definitions;                ///< Names at module level, with repeats.
  ByName<std::map<std::string, int>> imports;          ///< Statements by the name they bind.
  ByName<std::map<std::string, int>> call_keywords;    ///< Counts by callee and keyword.
  ByName<std::map<std::string, int>> parameter_forms;  ///< As written, by name; short ones.
  ByName<std::map<std::string, int>> call_values;  ///< By callee and `keyword=value`; short ones.
  /// What is written behind objects, by the object: `device` and `dim()` by `x`, `is_available()`
  /// by `torch.cuda`; a call whose arguments have names of their own as `get(`. Objects that are
  /// more than names and dots are "".
  ByName<std::map<std::string, int>> accesses;
  /// What conditions ask of objects, in the same way: `dim() > 0` by `x`. Without a name of their
  /// own, whole tests by "": `is_available()`.
  ByName<std::map<std::string, int>> tests;
};

[[nodiscard]] PythonFacts read_facts(const std::string& file, const Tree& tree);

/// What the repository's Python files define, by name. Several definitions may share a name:
/// answers are all of them, in the order of files and lines.
class PythonIndex {
 public:
  void add(const std::string& file, const PythonFacts& facts);
  void add(const std::string& file, const Tree& tree) { add(file, read_facts(file, tree)); }

  [[nodiscard]] const std::vector<PythonFunction>& functions(std::string_view name) const;
  [[nodiscard]] const std::vector<PythonClass>& classes(std::string_view name) const;
  /// Members of a class and of its bases that are found in the repository.
  [[nodiscard]] std::set<std::string> members(std::string_view class_name) const;
  /// Members of all classes that have this member too: what an object with it may offer.
  [[nodiscard]] std::set<std::string> siblings_of_member(std::string_view member) const;
  /// Members of any class that share at least half of their words with this name, at most `most`,
  /// the likest first.
  [[nodiscard]] std::vector<std::pair<std::string, double>> members_like(std::string_view name,
                                                                         std::size_t most) const;
  /// Names that other files could import, by how many of their words are among these; those that
  /// share most first, at most `most`.
  [[nodiscard]] std::vector<std::pair<std::string_view, double>> importable_like(
      const std::vector<std::string>& words, std::size_t most) const;
  /// The signature of a method looked up through the bases; null where it is not known.
  [[nodiscard]] const PythonFunction* method(std::string_view class_name,
                                             std::string_view method_name) const;
  /// Import statements of the repository that bind this name, commonest first.
  [[nodiscard]] std::vector<std::string> imports_of(std::string_view name) const;
  /// Files that define this name at module level.
  [[nodiscard]] std::vector<std::string> definers(std::string_view name) const;
  /// Keyword names that calls of this function or method name use anywhere, with counts.
  [[nodiscard]] const std::map<std::string, int>& call_keywords(std::string_view callee) const;
  /// The same with the values, as in `dim=-1`; those of one short line.
  [[nodiscard]] const std::map<std::string, int>& call_values(std::string_view callee) const;
  /// How definitions write a parameter of this name, as in `dim: int = -1`, with counts.
  [[nodiscard]] const std::map<std::string, int>& parameter_forms(std::string_view name) const;

  using Counts = std::map<std::string, int>;
  /// What is written behind an object of this text anywhere, see PythonFacts.
  [[nodiscard]] const Counts& accesses(std::string_view object) const;
  /// What conditions ask of an object of this text anywhere, see PythonFacts.
  [[nodiscard]] const Counts& tests(std::string_view object) const;
  using Ranked = std::vector<std::pair<std::string_view, int>>;
  /// What is written behind any object, commonest first, at most 200: `.contiguous()`.
  [[nodiscard]] const Ranked& common_suffixes() const;
  /// What is asked of objects of several names, those of most names first, at most 200: `.dim() >
  /// 0`.
  [[nodiscard]] const Ranked& common_questions() const;

 private:
  template <class T>
  using ByName = PythonFacts::ByName<T>;
  ByName<std::vector<PythonFunction>> functions_;
  ByName<std::vector<PythonClass>> classes_;
  ByName<std::vector<std::string>> member_owners_;  ///< Names of classes.
  ByName<std::map<std::string, int>> imports_;
  ByName<std::vector<std::string>> definers_;
  ByName<std::map<std::string, int>> call_keywords_;
  ByName<std::map<std::string, int>> call_values_;
  ByName<std::map<std::string, int>> parameter_forms_;
  /// Members by each of their words; made when it is first asked for, by one thread.
  mutable std::map<std::string, std::vector<std::string_view>, std::less<>> members_by_word_;
  mutable std::map<std::string, std::vector<std::string_view>, std::less<>> importable_by_word_;
  ByName<Counts> accesses_;
  ByName<Counts> tests_;
  mutable Ranked suffixes_;  ///< Like the members by their words.
  mutable Ranked questions_;
};

/// The parameters of a `function_definition` or `lambda`, `self` and `cls` included.
[[nodiscard]] std::vector<Parameter> parameters_of(const Node& function);

}  // namespace tenline
