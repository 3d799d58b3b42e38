#include "templates/prior.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/base/text.h"

namespace tenline::templates {

extern const char* const k_prior_text;  // Made by CMake from prior.txt.

namespace {

/// Of a template that the fixes say nothing about: as an average one.
constexpr double k_unknown = 1e-3;

/// Of a template that the repository brings: somebody wrote it because it happens there.
constexpr double k_of_the_repository = 0.05;

}  // namespace

const Prior& Prior::learned() {
  static const Prior k_prior = parse(k_prior_text);
  return k_prior;
}

Prior Prior::parse(std::string_view text) {
  Prior prior;
  for (const std::string_view line : split_lines(text)) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos || line.starts_with('#')) continue;
    Row row{};
    std::size_t bin = 0;
    for (const std::string_view part : split(line.substr(colon + 2), ' ')) {
      if (bin == row.size()) break;
      double value = 0;
      if (std::from_chars(part.data(), part.data() + part.size(), value).ec == std::errc{}) {
        row[bin++] = value;
      }
    }
    if (bin == row.size()) prior.rows_.emplace(line.substr(0, colon), row);
  }
  return prior;
}

int Prior::bin_of(double weight) {
  const double octave = std::log2(std::max(weight, 1e-12));
  return std::clamp(static_cast<int>(std::floor(octave)) + k_bins * 3 / 4, 0, k_bins - 1);
}

const Prior::Row* Prior::find(std::string_view key) const {
  const auto it = rows_.find(key);
  return it == rows_.end() ? nullptr : &it->second;
}

double Prior::probability(const Template& form, std::string_view key, double weight) const {
  const Row* row = find(key);
  if (row == nullptr) row = find(form.id);
  if (form.file != nullptr) return k_of_the_repository * form.prior * weight;
  if (row == nullptr) return k_unknown * form.prior * weight;
  // Within a bin larger weights still come first.
  const double fraction = std::log2(std::max(weight, 1e-12));
  const double within = 1 + 0.01 * (fraction - std::floor(fraction));
  return (*row)[static_cast<std::size_t>(bin_of(weight))] * within;
}

double Prior::joint(std::string_view key, double probability) const {
  const Row* row = find(key);
  if (row == nullptr) return probability * 0.6;
  const double shifted = probability * k_joint_scale;
  const double fraction = std::log2(std::max(shifted, 1e-12));
  const double within = 1 + 0.01 * (fraction - std::floor(fraction));
  return (*row)[static_cast<std::size_t>(bin_of(shifted))] * within;
}

}  // namespace tenline::templates
