#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/candidate.h"
#include "engine/syntax/tree.h"

namespace tenline::templates {

class Context;

/// An edit as a template sees it: bytes of the file at hand and their new text.
struct Change {
  Span span;
  std::string text;
  auto operator<=>(const Change&) const = default;
};

/// One possible edit of a template.
struct Proposal {
  std::vector<Change> changes;
  Node anchor;          ///< The node whose meaning changes; equal nodes may get the same edit.
  double weight = 1;    ///< How well it fits, against other edits of the same template; around 1.
  std::string summary;  ///< One line for people.
  bool repeatable = false;  ///< Makes sense at every equal node of the file too.
};

/// Collects the proposals of one match.
class Proposals {
 public:
  /// Replaces a node; the usual case.
  void replace(const Node& node, std::string text, double weight, std::string summary);
  /// The same, and "the same edit at every node with this text" makes sense too.
  void replace_everywhere(const Node& node, std::string text, double weight, std::string summary);
  /// Takes a proposal; one without weight or changes is dropped.
  void add(Proposal proposal) {
    if (proposal.weight > 0 && !proposal.changes.empty()) {
      proposals_.push_back(std::move(proposal));
    }
  }

  [[nodiscard]] std::vector<Proposal>& all() { return proposals_; }

 private:
  std::vector<Proposal> proposals_;
};

/// What a template does with a match: a function, or an object, which must outlive this value.
class Rewrite {
 public:
  using Function = void (*)(const Match&, const Context&, Proposals&);
  struct Object {
    virtual ~Object() = default;
    virtual void rewrite(const Match& match, const Context& context, Proposals& out) const = 0;
  };
  constexpr Rewrite(Function function) : function_(function) {}  // NOLINT: reads as `= rewrite`
  constexpr explicit Rewrite(const Object& object) : object_(&object) {}
  void operator()(const Match& match, const Context& context, Proposals& out) const {
    if (object_ != nullptr) return object_->rewrite(match, context, out);
    function_(match, context, out);
  }

 private:
  Function function_ = nullptr;
  const Object* object_ = nullptr;
};

/// The failures that name what is wrong, each a bit: a template that can answer one has its bit.
namespace answers {
enum : unsigned {
  unbound_name = 1U << 0U,  ///< NameError, UnboundLocalError.
  import_error = 1U << 1U,  ///< ImportError and its kinds.
  attribute_error = 1U << 2U,
  wrong_arguments = 1U << 3U,  ///< TypeError about a call's arguments.
  key_error = 1U << 4U,
  index_error = 1U << 5U,
};
}  // namespace answers

/// A fix template: data plus one function. It touches no disk and cannot fail: what does not fit
/// gives no proposals.
struct Template {
  const char* id;  ///< Stable: users write it in configurations.
  Family family;
  const char* summary;
  Language language;
  const char* query;  ///< tree-sitter; the first capture is the outermost node: where it applies.
  double prior;       ///< How often such an edit is the fix, against other templates; around 1.
  unsigned answers = 0;  ///< Failures that such an edit may be the fix of; see answers.
  Rewrite rewrite;
  const char* file = nullptr;  ///< Of the repository that brings it; null for a built-in one.
};

/// All built-in templates, in the order of templates/CMakeLists.txt.
[[nodiscard]] const std::vector<const Template*>& registry();

}  // namespace tenline::templates
