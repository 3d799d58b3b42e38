#pragma once

#include <fstream>
#include <string>

#include "app/cli/options.h"
#include "engine/core/repair.h"
#include "engine/report/progress.h"

namespace tenline::cli {

/// Shows on standard error where a run is, and writes what happens to its log, a JSON object a
/// line.
class RunObserver final : public Observer {
 public:
  RunObserver(const std::string& log_file, const PrintOptions& print);
  ~RunObserver() override;

  void reproduced(const Reproduction& reproduction) override;
  void located(const std::vector<Location>& locations) override;
  void proposed(std::size_t candidates) override;
  void checked(const CheckedCandidate& checked, std::size_t done, std::size_t planned,
               std::size_t passing) override;

  /// A line of its own on standard error.
  void say(const std::string& line);

 private:
  void log(Json event);
  void show(const ProgressState& state);

  std::ofstream log_;
  PrintOptions print_;
  Progress progress_;
};

}  // namespace tenline::cli
