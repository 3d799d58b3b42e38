#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/bug_report.h"
#include "engine/core/failure.h"
#include "engine/locate/source_file.h"

namespace tenline {

/// What the issue and the failure's message talk about.
class IssueTerms {
 public:
  IssueTerms(const BugReport& report, const FailureException* failure);

  [[nodiscard]] bool names(std::string_view name) const { return names_.contains(name); }
  /// True where the failure is a call of this function that its signature refuses.
  [[nodiscard]] bool miscalled(std::string_view name) const { return miscalled_.contains(name); }
  /// Words to search for, without those that every text has.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }
  /// True where the issue names the function and its class together: `Loader.run`.
  [[nodiscard]] bool names_method(const SourceFunction& function) const;
  /// How much of a statement the issue talks about, from 0 to 1.
  [[nodiscard]] double overlap(std::string_view statement) const;
  /// The last parts of the exception types that the issue shows.
  [[nodiscard]] const std::set<std::string, std::less<>>& exception_types() const {
    return exception_types_;
  }

 private:
  std::set<std::string, std::less<>> names_;
  void read_signature_error(std::string_view message);

  std::set<std::string, std::less<>> miscalled_;
  std::vector<std::string> words_;
  std::set<std::string, std::less<>> word_set_;
  std::set<std::string, std::less<>> exception_types_;
};

}  // namespace tenline
