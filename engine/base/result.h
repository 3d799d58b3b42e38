#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace tenline {

/// What kind of failure of the world it was; a new code only where a caller acts on it.
enum class ErrorCode {
  io,             ///< A file, pipe or process could not be used.
  not_found,      ///< The named thing does not exist.
  invalid_input,  ///< Somebody's bytes are not what they should be.
  limit,          ///< Input over a size limit.
  unavailable,    ///< A tool or service that is needed is missing or refuses.
  cancelled,      ///< The user or a budget stopped it.
};

/// A failure of the world. The message starts in lower case, names the thing, has no full stop.
struct Error {
  ErrorCode code = ErrorCode::io;
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// Adds context on the way up: "while reading the issue: no such file".
[[nodiscard]] Error while_doing(std::string_view what, Error error);

/// The user's setup or input is wrong. Thrown and caught only where flags and files of the user are
/// read; `exit_code` is one of the codes in the manual.
struct Fatal : std::runtime_error {
  Fatal(int code, const std::string& message) : std::runtime_error(message), exit_code(code) {}
  int exit_code;
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line,
                               std::string_view why);

}  // namespace tenline

#define TENLINE_CONCAT_(a, b) a##b
#define TENLINE_CONCAT(a, b) TENLINE_CONCAT_(a, b)

/// TENLINE_TRY(auto x, expr): x = *expr, or returns the error of expr from this function.
#define TENLINE_TRY(declaration, ...)                                                 \
  auto TENLINE_CONCAT(tenline_try_, __LINE__) = (__VA_ARGS__);                        \
  if (!TENLINE_CONCAT(tenline_try_, __LINE__)) {                                      \
    return tl::unexpected(std::move(TENLINE_CONCAT(tenline_try_, __LINE__)).error()); \
  }                                                                                   \
  declaration = *std::move(TENLINE_CONCAT(tenline_try_, __LINE__))

/// The same for Result<void>.
#define TENLINE_TRY_VOID(...)                                 \
  if (auto tenline_result = (__VA_ARGS__); !tenline_result) { \
    return tl::unexpected(std::move(tenline_result).error()); \
  }

/// We have a bug if the condition does not hold: aborts in every build.
#define TENLINE_CHECK(condition, why)                                 \
  do {                                                                \
    if (!(condition)) {                                               \
      ::tenline::check_failed(#condition, __FILE__, __LINE__, (why)); \
    }                                                                 \
  } while (false)
