#include "templates/python/test_bag.h"

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/file_tests.h"

namespace tenline::templates {

void TestBag::add(std::string_view text, std::string_view opposite, double weight) {
  constexpr std::size_t k_longest = 100;
  constexpr double k_least = 0.002;
  if (text.empty() || opposite.empty() || text.size() > k_longest || weight < k_least) return;
  if (text.find('\n') != std::string_view::npos) return;  // It may need its parentheses.
  const auto [at, is_new] = tests_.emplace(text, Test{});
  Test& test = at->second;
  if (is_new) test = {std::string(text), std::string(opposite), 0};
  test.weight = std::max(test.weight, weight);
}
void TestBag::add_both(std::string_view text, std::string_view opposite, double weight,
                       double factor) {
  add(text, opposite, weight);
  // NOLINTNEXTLINE(readability-suspicious-call-argument): a test is the opposite of its opposite.
  add(opposite, text, weight * factor);
}

void TestBag::add_none(std::string_view text, double weight, double factor) {
  add_both(fmt::format("{} is not None", text), fmt::format("{} is None", text), weight, factor);
}
void TestBag::add_truth(std::string_view text, double weight, double factor) {
  add_both(text, fmt::format("not {}", text), weight, factor);
}
void TestBag::add_numbers(std::string_view text, double weight) {
  add_both(fmt::format("{} > 1", text), fmt::format("{} == 1", text), weight, 0.6);
  add_both(fmt::format("{} > 0", text), fmt::format("{} == 0", text), weight, 0.6);
  add(fmt::format("{} <= 0", text), fmt::format("{} > 0", text), weight * 0.15);
  add(fmt::format("{} <= 1", text), fmt::format("{} > 1", text), weight * 0.25);
  add_both(fmt::format("{} != 0", text), fmt::format("{} == 0", text), weight * 0.3, 0.6);
  add_both(fmt::format("{} != 1", text), fmt::format("{} == 1", text), weight * 0.2, 0.6);
  add_both(fmt::format("{} >= 0", text), fmt::format("{} < 0", text), weight * 0.2, 0.6);
  add_both(fmt::format("{} != -1", text), fmt::format("{} == -1", text), weight * 0.15, 0.6);
}

void TestBag::add_by_name(std::string_view text, std::string_view name, double weight) {
  if (is_question(name)) {
    add_truth(text, weight, 0.8);
    return;
  }
  if (name.find("rank") != std::string_view::npos) {
    add_both(fmt::format("{} == 0", text), fmt::format("{} != 0", text), weight, 0.4);
  }
  if (is_number_name(name)) add_numbers(text, weight * 0.5);
  add_none(text, weight * 0.5, 0.5);
  add_truth(text, weight * 0.4, 0.6);
}

std::vector<Test> TestBag::take_best(std::size_t most) {
  // Shares of one: where much could be asked, each test is less likely the one.
  double sum = 1;  // For what is not here.
  std::vector<Test> sorted;
  sorted.reserve(tests_.size());
  for (auto& [text, test] : tests_) sorted.push_back(std::move(test));
  tests_.clear();
  std::ranges::sort(sorted, [](const Test& a, const Test& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.text < b.text;
  });
  for (const Test& test : sorted) sum += test.weight;
  for (Test& test : sorted) test.weight /= sum;
  if (sorted.size() > most) sorted.resize(most);
  return sorted;
}

}  // namespace tenline::templates
