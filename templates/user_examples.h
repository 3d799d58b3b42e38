#pragma once

#include <string>
#include <vector>

#include "templates/user_template.h"

namespace tenline::templates {

struct ExampleResult {
  int line = 0;         ///< Of the example in its file.
  std::string problem;  ///< Why it does not hold, in some lines; empty where it does.
};

/// Tries the examples of a template, each as a file of its own in which every line may be at fault.
[[nodiscard]] std::vector<ExampleResult> run_examples(const UserTemplate& form);

}  // namespace tenline::templates
