// One word of a string is wrong: it should be that of the name it is assigned to or passed as, its
// opposite, or the word that like strings and names of the file have.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct Word {
  std::size_t begin = 0;
  std::string_view text;
};

std::vector<Word> words_in(std::string_view content) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < content.size();) {
    std::size_t end = i;
    while (end < content.size() && std::isalnum(static_cast<unsigned char>(content[end])) != 0) {
      ++end;
    }
    if (end > i) words.push_back({i, content.substr(i, end - i)});
    i = end + 1;
  }
  return words;
}

/// The name that a string is the value of: the target of an assignment, a keyword, the other part
/// of a pair.
std::string_view namesake_of(const Node& string) {
  const Node parent = string.parent();
  Node name;
  if (parent.is("assignment")) name = parent.field("left");
  if (parent.is("keyword_argument")) name = parent.field("name");
  if (parent.is("pair")) {
    name = parent.field("key") == string ? parent.field("value") : parent.field("key");
  }
  // A key is often called like what its value is for.
  if (keyed_object(string) && !parent.is("comparison_operator")) {
    const Node read = parent.is("argument_list") ? parent.parent() : parent;
    const Node use = read.parent();
    if (use.is("keyword_argument")) name = use.field("name");
    if (use.is("assignment") && use.field("right") == read) name = use.field("left");
  }
  if (name.is("attribute")) name = name.field("attribute");
  if (name.is("string")) {
    const std::string_view content = string_content(name.text()).value_or(std::string_view{});
    const bool plain = content.find_first_of("'\"\\\n{") == std::string_view::npos;
    return plain ? content : std::string_view{};
  }
  return name.is("identifier") ? name.text() : std::string_view{};
}

/// True for strings without escapes and code in them, whose words are what they seem.
bool is_text_alone(const Node& string, std::string_view content) {
  for (const Node& part : string.children()) {
    if (part.is("interpolation")) return false;
  }
  return content.find('\\') == std::string_view::npos;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["string"];
  const std::optional<std::string_view> content = string_content(node.text());
  constexpr std::size_t k_longest = 60;
  if (!content || content->size() > k_longest || !is_text_alone(node, *content)) return;
  if (node.parent().is("expression_statement") || is_message(node)) return;
  const std::size_t begin =
      node.span().begin + static_cast<std::size_t>(content->data() - node.text().data());
  Choices choices;
  const auto whole = [&](std::string_view text, double weight) {
    if (text != *content) choices.add(text, weight);
  };
  const auto with = [&](const Word& word, std::string_view text, double weight) {
    std::string changed(*content);
    changed.replace(word.begin, word.text.size(), text);
    whole(changed, weight);
  };
  const std::string_view namesake = namesake_of(node);
  if (!namesake.empty()) {
    const double fit = keyed_object(node) ? 0.6 : 1;
    whole(lower(namesake), 0.6 * fit);
    whole(namesake, 0.42 * fit);
  }
  if (content->empty()) {
    for (const std::string_view separator : {".", " ", ",", ", ", "_", "-", "/", "\\n"}) {
      whole(separator, 0.15);
    }
  }
  const std::vector<Word> words = words_in(*content);
  std::set<std::string> known;
  for (const std::string& literal : context.string_literals()) {
    const std::optional<std::string_view> other = string_content(literal);
    if (!other || other->size() > k_longest) continue;
    for (const Word& word : words_in(*other)) known.insert(std::string(word.text));
  }
  for (const std::string& word : identifier_words(namesake)) known.insert(word);
  for (const Name& name : context.names(node)) {
    if (differs_by_opposite(lower(*content), lower(name.text))) whole(name.text, 0.2);
  }
  for (const Word& word : words) {
    for (const std::string& other : known) {
      if (other == word.text) continue;
      const double similarity = name_similarity(word.text, other);
      const bool opposite = differs_by_opposite(lower(word.text), lower(other));
      if (opposite) {
        with(word, other, 0.4);
      } else if (similarity >= 0.6 && other.size() > 2) {
        with(word, other, 0.3 * similarity);
      }
    }
    if (words.size() > 1) {
      // A word too many, with the separator behind or before it.
      std::string shorter(*content);
      const bool last = word.begin + word.text.size() == content->size();
      shorter.erase(last ? word.begin - std::min<std::size_t>(1, word.begin) : word.begin,
                    word.text.size() + 1);
      whole(shorter, 0.05);
    }
  }
  for (const auto& [text, weight] : choices.best(20)) {
    Proposal proposal = change_of(node, {begin, begin + content->size()}, text, weight,
                                  fmt::format("\"{}\" instead of {}", text, brief(node.text())));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  }
}

}  // namespace

extern constinit const Template k_edit_string = {
    .id = "edit-string",
    .family = Family::config_dependency,
    .summary = "Change a word of a string to that of its name or of like strings.",
    .language = Language::python,
    .query = "(string) @string",
    .prior = 0.5,
    .answers = answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
