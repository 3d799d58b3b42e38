#pragma once

#include <string_view>

/// The texts of the files in oracles/python/.
namespace tenline::programs {

extern const std::string_view k_trace_run;
extern const std::string_view k_test_results;
extern const std::string_view k_compile_files;
extern const std::string_view k_ask_interpreter;
extern const std::string_view k_warm_worker;
extern const std::string_view k_warm_chain;
extern const std::string_view k_warm_groups;
extern const std::string_view k_warm_state;
extern const std::string_view k_warm_units;

}  // namespace tenline::programs
