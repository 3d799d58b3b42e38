#pragma once

// What the templates about arguments and signatures share: where in a list an element can go, and
// what a call's callee takes.

#include <string>
#include <string_view>
#include <vector>

#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// A place for a new element of an argument or parameter list.
struct ArgumentGap {
  std::size_t before = 0;  ///< Index of the element that it comes before; their number for the end.
  double weight = 0;       ///< At most 1: how well the places that are meant point to it.
};

/// Gaps `first` to `last` of a list, in order. Between two lines that are both meant is likelier
/// than beside one, and that likelier than elsewhere.
[[nodiscard]] std::vector<ArgumentGap> gaps_of(const Node& list, std::size_t first,
                                               std::size_t last, const Context& context);

/// The changes that put an element into a gap, on a line of its own where its neighbours are.
[[nodiscard]] std::vector<Change> inserted(const Node& list, std::size_t before,
                                           std::string_view element);

[[nodiscard]] bool is_positional(const Node& argument);
/// How many arguments come first without a keyword or a star.
[[nodiscard]] std::size_t positional_count(const std::vector<Node>& arguments);
/// `**kwargs` or `*args` as they stand in a call.
[[nodiscard]] bool is_spread(const Node& argument);

/// Parameters that can be passed by their name.
[[nodiscard]] bool is_named(const Parameter& parameter);
[[nodiscard]] bool accepts(const PythonFunction& callee, std::string_view keyword);

/// The definitions that a call may go to, at most eight; none where its name says too little.
[[nodiscard]] std::vector<const PythonFunction*> callees(const Node& call, const Context& context);

/// A keyword that a call could pass.
struct Keyword {
  std::string name;
  double weight = 0;      ///< At most 1.
  std::size_t order = 0;  ///< Its position among the callee's parameters, from 1; 0: not known.
  std::string fallback;   ///< Its default there, as written.
};

/// The keywords that a call does not pass yet and could, best first, at most forty.
[[nodiscard]] std::vector<Keyword> missing_keywords(const Node& call, const Context& context);

/// The last name of a plain expression, to compare with a parameter's: `size` of `self.size`.
[[nodiscard]] std::string_view last_name(const Node& expression);

/// True if a line of the node's, from its first to its last, is meant.
[[nodiscard]] bool is_meant(const Node& node, const Context& context);

/// The heaviest proposals of a list, without those that are too light to be worth a try.
[[nodiscard]] std::vector<Proposal> heaviest(std::vector<Proposal> proposals, std::size_t most);

}  // namespace tenline::templates
