// A merge was committed with its markers: one side stays, or both, and the markers go. The parser
// takes the markers for errors, so this works on lines.

#include <array>
#include <optional>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

bool starts_with(const std::string& source, std::size_t at, std::string_view marker) {
  return source.compare(at, marker.size(), marker) == 0;
}

std::size_t next_line(const std::string& source, std::size_t at) {
  const std::size_t end = source.find('\n', at);
  return end == std::string::npos ? source.size() : end + 1;
}

/// The lines of one conflict, by where their markers begin.
struct Conflict {
  std::size_t ours = 0;
  std::size_t middle = 0;
  std::size_t end = 0;
};

std::vector<Conflict> conflicts_of(const std::string& source) {
  std::vector<Conflict> found;
  std::optional<Conflict> open;
  for (std::size_t at = 0; at < source.size(); at = next_line(source, at)) {
    if (starts_with(source, at, "<<<<<<< ")) open = Conflict{at};
    if (open && starts_with(source, at, "=======")) open->middle = at;
    if (open && open->middle > 0 && starts_with(source, at, ">>>>>>> ")) {
      open->end = at;
      found.push_back(*open);
      open.reset();
    }
  }
  return found;
}

enum class Side { ours, theirs, both };

std::vector<Change> settle(const std::string& source, const Conflict& conflict, Side side) {
  const std::size_t ours = next_line(source, conflict.ours);
  const std::size_t theirs = next_line(source, conflict.middle);
  const std::size_t end = next_line(source, conflict.end);
  if (side == Side::ours) return {{{conflict.ours, ours}, ""}, {{conflict.middle, end}, ""}};
  if (side == Side::theirs) return {{{conflict.ours, theirs}, ""}, {{conflict.end, end}, ""}};
  return {{{conflict.ours, ours}, ""}, {{conflict.middle, theirs}, ""}, {{conflict.end, end}, ""}};
}

/// The name behind a marker is what the template hangs on: markers have no nodes of their own.
void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node name = match["name"];
  const std::string& source = context.tree().source();
  const std::size_t line = source.rfind('\n', name.span().begin) + 1;  // npos + 1 is 0.
  if (!starts_with(source, line, "<<<<<<< ") || line + 8 != name.span().begin) return;
  const std::vector<Conflict> conflicts = conflicts_of(source);
  struct Settlement {
    Side side;
    double weight;
    const char* summary;
  };
  constexpr std::array<Settlement, 3> k_settlements = {
      {{Side::theirs, 3, "settle the merge by its second side"},
       {Side::ours, 2.5, "settle the merge by its first side"},
       {Side::both, 2, "keep both sides of the merge"}}};
  for (const auto& [side, weight, summary] : k_settlements) {
    Proposal proposal;
    for (const Conflict& conflict : conflicts) {
      std::vector<Change> changes = settle(source, conflict, side);
      std::move(changes.begin(), changes.end(), std::back_inserter(proposal.changes));
    }
    proposal.anchor = name;
    proposal.weight = weight;
    proposal.summary = summary;
    out.add(std::move(proposal));
  }
}

}  // namespace

extern constinit const Template k_merge_marker = {
    .id = "merge-marker",
    .family = Family::other,
    .summary = "Take the markers of a merge out of a file.",
    .language = Language::python,
    .query = "(identifier) @name",
    .prior = 3,
    .answers = answers::unbound_name,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
