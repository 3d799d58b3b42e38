#pragma once

namespace tenline::cli {

/// From here on the first SIGINT or SIGTERM asks the run to stop; the second ends the program at
/// once, which leaves a run that can be resumed.
void catch_interrupts();

/// A reader that went away is an error of writing, not the end of the program.
void ignore_closed_pipes();

/// The signal that asked to stop, or 0.
[[nodiscard]] int interrupted_by();

}  // namespace tenline::cli
