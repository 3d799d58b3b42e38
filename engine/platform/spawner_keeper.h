#pragma once

#include <cstdint>
#include <vector>

#include "engine/platform/fd.h"
#include "engine/platform/spawner.h"

namespace tenline {

/// What a keeper tells the engine, one packet each.
struct KeeperReply {
  enum class Kind : std::uint8_t { started, failed, ended };
  Kind kind = Kind::failed;
  int value = 0;  ///< errno where it failed, the wait status where it ended.
  double cpu_seconds = 0;
};

/// The request as bytes for the keeper, without its descriptors.
[[nodiscard]] std::string to_bytes(const SpawnRequest& request);
[[nodiscard]] SpawnRequest request_from_bytes(std::string_view bytes);

/// The life of a keeper, the process between the spawner and one program: starts the program, waits
/// for it, kills all that descends from it, answers on `control`. It kills the tree as soon as
/// the engine closes its end or the sending half of it, or the spawner dies.
[[noreturn]] void keep(UniqueFd control, const SpawnRequest& request);

}  // namespace tenline
