#include "templates/distant.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/syntax/python_scope.h"
#include "templates/ingredients.h"

namespace tenline::templates {

std::string_view root_name(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

DistantValues::DistantValues(const Tree& tree, const PythonIndex& index) {
  constexpr std::size_t k_longest = 48;
  std::unordered_set<std::string_view> known;
  std::unordered_set<std::string_view> written;
  tree.root().walk([&](const Node& node) {
    if (node.is("import_statement") || node.is("import_from_statement")) return false;
    const bool chain = node.is("attribute");
    if (node.is("call") && node.span().size() <= 2 * k_longest) written.insert(node.text());
    if (!chain && !node.is("identifier")) return true;
    if (node.span().size() > k_longest || !is_dotted_name(node)) return true;
    if (chain) written.insert(node.text());
    if (known.insert(node.text()).second) objects_.push_back(node.text());
    return true;
  });
  for (const std::string_view object : objects_) {
    if (object == "self" || object == "cls") continue;  // Their class says more: see members().
    for (const auto& [access, count] : index.accesses(object)) {
      if (access.ends_with('(')) continue;
      std::string text = fmt::format("{}.{}", object, access);
      if (written.contains(text)) continue;
      values_.push_back({std::move(text), object, root_name(object), words_of(access), count});
    }
  }
}

std::vector<DistantValues::Fit> DistantValues::fitting(
    const Node& place, const std::unordered_set<std::string_view>& in_scope,
    std::size_t most) const {
  const std::vector<std::string> words = words_of(place.text());
  const std::vector<std::string> role = words_of(purpose_of(place));
  std::vector<Fit> fits;
  std::unordered_map<std::string_view, bool> usable;
  for (const DistantValue& value : values_) {
    const auto [it, fresh] = usable.try_emplace(value.root, false);
    if (fresh) it->second = in_scope.contains(value.root);
    if (!it->second || value.text == place.text()) continue;
    const double alike = word_overlap(words, value.words) + 0.8 * word_overlap(role, value.words);
    const double often = std::log2(1.0 + value.count);
    fits.push_back({&value, 0.004 * often + alike * (0.3 + 0.05 * often)});
  }
  const std::size_t kept = std::min(most, fits.size());
  std::partial_sort(fits.begin(), fits.begin() + static_cast<std::ptrdiff_t>(kept), fits.end(),
                    [](const Fit& a, const Fit& b) {
                      return a.weight != b.weight ? a.weight > b.weight
                                                  : a.value->text < b.value->text;
                    });
  fits.resize(kept);
  return fits;
}

}  // namespace tenline::templates
