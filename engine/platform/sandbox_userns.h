#pragma once

#include "engine/base/result.h"
#include "engine/platform/fd.h"

namespace tenline {

/// A user namespace with the ids of ours in which no further user namespace can be made. Needs
/// root. Root without it has two bad choices: bubblewrap's own namespace knows one user only, so
/// that the program stays root, whom process limits do not bind; and without any, candidates could
/// make one.
[[nodiscard]] Result<UniqueFd> make_user_namespace();

/// Whether this process is root over enough ids to give each slot one.
[[nodiscard]] bool can_give_users();

/// Gives a folder and all in it to a user, except `.git` at its top and files with several names:
/// those may be the user's own. Links are not followed.
[[nodiscard]] Result<void> give_folder(const std::string& path, unsigned uid);

}  // namespace tenline
