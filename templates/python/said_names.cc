#include "templates/python/said_names.h"

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {

std::vector<SaidName> said_names(const Node& statement) {
  std::vector<SaidName> atoms;
  const std::vector<std::string>& builtins = python_builtins();
  const auto add = [&](std::string_view text, Span span, bool attribute, bool target) {
    if (text == "self" || text == "cls" || !is_identifier(text)) return;
    if (!attribute && std::find(builtins.begin(), builtins.end(), text) != builtins.end()) return;
    auto known = std::find_if(atoms.begin(), atoms.end(),
                              [&](const SaidName& atom) { return atom.text == text; });
    if (known == atoms.end()) known = atoms.insert(atoms.end(), SaidName{text, {}, attribute});
    known->spans.push_back(span);
    known->is_attribute = known->is_attribute && attribute;
    known->is_target = known->is_target || target;
  };
  statement.walk([&](const Node& node) {
    if (node.is("identifier")) {
      const Node parent = node.parent();
      const bool attribute = parent.is("attribute") && parent.field("attribute") == node;
      const Node whole = attribute ? parent : node;
      add(node.text(), node.span(), attribute || parent.field("name") == node,
          whole.parent().field("left") == whole);
      if (attribute && !atoms.empty() && atoms.back().text == node.text()) {
        atoms.back().object = parent.field("object").text();
      }
      if (!atoms.empty() && whole.parent().is("call") &&
          whole.parent().field("function") == whole) {
        atoms.back().is_called = atoms.back().text == node.text();
      }
    } else if (node.is("string")) {
      const std::optional<std::string_view> content = string_content(node.text());
      if (content && is_identifier(*content)) {
        const std::size_t quote = node.text().find(*content);
        const std::size_t begin = node.span().begin + quote;
        add(*content, {begin, begin + content->size()}, true, false);
      }
    }
    return true;
  });
  return atoms;
}

std::pair<std::string, std::string> changed_words(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> from = split(a, '_');
  const std::vector<std::string_view> to = split(b, '_');
  std::size_t begin = 0;
  const std::size_t shorter = std::min(from.size(), to.size());
  while (begin < shorter && from[begin] == to[begin]) ++begin;
  std::size_t end = 0;
  while (end < shorter - begin && from[from.size() - 1 - end] == to[to.size() - 1 - end]) ++end;
  const auto join = [&](const std::vector<std::string_view>& words) {
    std::string text;
    for (std::size_t i = begin; i + end < words.size(); ++i) {
      text += (text.empty() ? "" : "_") + std::string(words[i]);
    }
    return text;
  };
  if (begin + end == 0) return {};
  return {join(from), join(to)};
}

std::string with_words(std::string_view name, const std::string& from, const std::string& to) {
  const std::string padded = fmt::format("_{}_", name);
  const std::size_t at = padded.find(fmt::format("_{}_", from));
  if (from.empty() || to.empty() || at == std::string::npos) return std::string(name);
  std::string text = padded;
  text.replace(at + 1, from.size(), to);
  return text.substr(1, text.size() - 2);
}

}  // namespace tenline::templates
