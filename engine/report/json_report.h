#pragma once

#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/report/report.h"

namespace tenline {

/// Whether a document carries what differs between two equal runs: times and the run's id.
enum class Volatile { keep, blank };

/// The document of `fix --json`, schema 1 (docs/schema/fix.schema.json). Keys are in order; with
/// Volatile::blank two runs on the same input give the same bytes.
[[nodiscard]] Json fix_document(const RunReport& report, Volatile mode = Volatile::keep);

/// The document of `locate --json`, schema 1 (docs/schema/locate.schema.json).
[[nodiscard]] Json locate_document(const std::vector<Location>& locations);

/// A document as it is printed: indented and pure ASCII, so that untrusted text in it cannot drive
/// a terminal, with a newline at the end.
[[nodiscard]] std::string document_text(const Json& document);

}  // namespace tenline
