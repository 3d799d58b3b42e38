#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "templates/template.h"

namespace tenline::templates {

/// How likely a proposal is the developers' edit, learned from mined fixes: hits per candidate, by
/// template, kind of node and size of the template's own weight. Kept in templates/prior.txt, made
/// by tools/fit_prior.py from what `tenline corpus recall --counts` writes.
class Prior {
 public:
  /// The one that is built in.
  [[nodiscard]] static const Prior& learned();
  /// Lines `key: p p p ...`, see prior.txt.
  [[nodiscard]] static Prior parse(std::string_view text);

  /// A weight's bin, an octave each; 1 to 2 is the 19th of the 24.
  static constexpr int k_bins = 24;
  [[nodiscard]] static int bin_of(double weight);
  /// What the probability of a joined edit is multiplied by before it is binned: they are small.
  static constexpr double k_joint_scale = 32;

  /// The probability for a key `template/kind`; a template that was never seen has its own prior,
  /// one that the repository brings a high one.
  [[nodiscard]] double probability(const Template& form, std::string_view key, double weight) const;
  /// The same for edits of several places, `same-edit` or `pair`, from the probability of one.
  [[nodiscard]] double joint(std::string_view key, double probability) const;

 private:
  using Row = std::array<double, k_bins>;
  [[nodiscard]] const Row* find(std::string_view key) const;
  std::map<std::string, Row, std::less<>> rows_;
};

}  // namespace tenline::templates
