#include "templates/user_examples.h"

#include "engine/base/text.h"
#include "templates/context.h"
#include "templates/proposer.h"

namespace tenline::templates {

namespace {

struct Proposed {
  std::string text;  ///< Of the whole file.
  std::string summary;
};

std::vector<Proposed> proposals(const Template& form, const std::string& before) {
  const std::string file = "example.py";
  const Tree tree = Tree::parse(Language::python, before);
  std::vector<Location> locations;
  const auto lines = static_cast<int>(split_lines(before).size());
  for (int line = 1; line <= lines; ++line) locations.push_back({file, line, "", 1.0, {}});
  const BugReport report;
  const FailureTrace trace;
  const Symptom symptom;
  PythonIndex index;
  index.add(file, tree);
  const Context context({file, tree, report, trace, index, symptom, locations});
  constexpr int k_most_lines = 10;
  std::vector<Proposed> found;
  for (const Candidate& candidate : propose_in_file(context, {&form}, k_most_lines)) {
    Result<std::string> text = apply_edits(before, candidate.edits);
    if (text) found.push_back({*std::move(text), candidate.summary});
  }
  return found;
}

std::string shown(std::string_view line) {
  std::string text;
  for (const char c : to_valid_utf8(line)) {
    if (c == '\t') {
      text += "\\t";
    } else if (c == '\r') {
      text += "\\r";
    } else {
      text += c;
    }
  }
  return text;
}

/// The first line in which two texts differ.
std::string difference(std::string_view wanted, std::string_view got) {
  const std::vector<std::string_view> a = split(wanted, '\n');
  const std::vector<std::string_view> b = split(got, '\n');
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  const auto line = [&](const std::vector<std::string_view>& lines) {
    return i < lines.size() ? shown(lines[i]) : "(the end)";
  };
  return fmt::format("line {}:\n  wanted: {}\n  got:    {}", i + 1, line(a), line(b));
}

std::string problem_of(const TemplateExample& example, const std::vector<Proposed>& found) {
  if (!example.after) {
    return found.empty() ? "" : fmt::format("must not fire, but would {}", found.front().summary);
  }
  if (found.empty()) return "proposes nothing";
  for (const Proposed& one : found) {
    if (one.text == *example.after) return {};
  }
  const std::string many =
      found.size() == 1
          ? "the proposal does not give `after`"
          : fmt::format("none of {} proposals gives `after`; the first differs", found.size());
  return fmt::format("{}, {}", many, difference(*example.after, found.front().text));
}

}  // namespace

std::vector<ExampleResult> run_examples(const UserTemplate& form) {
  std::vector<ExampleResult> results;
  for (const TemplateExample& example : form.examples()) {
    results.push_back({example.line, problem_of(example, proposals(form.form(), example.before))});
  }
  return results;
}

}  // namespace tenline::templates
