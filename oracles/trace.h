#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/core/failure.h"

namespace tenline {

/// Is this a file of the repository?
using IsRepositoryFile = std::function<bool(const std::string&)>;

/// Reads what oracles/python/trace_run.py wrote for one process. The traced program could have
/// written it too, so what does not fit is dropped: files that are not the repository's, numbers
/// out of range, texts that are too long.
[[nodiscard]] Result<FailureTrace> parse_trace(std::string_view text,
                                               const IsRepositoryFile& is_repository_file);

/// One trace of those of several processes. The exceptions of later ones come later.
[[nodiscard]] FailureTrace merge_traces(const std::vector<FailureTrace>& traces);

/// Reads the folder that a traced run wrote: the main process last, at most 16 of its children.
/// not_found if the main process left nothing.
[[nodiscard]] Result<FailureTrace> read_traces(const std::string& folder,
                                               const IsRepositoryFile& is_repository_file);

}  // namespace tenline
