# Build functions. One target per folder; what a folder may include is checked by tools/check_layers.py.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(TENLINE_CCACHE ccache)
if(TENLINE_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${TENLINE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TENLINE_CCACHE})
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(GTest REQUIRED)
pkg_check_modules(libgit2 REQUIRED IMPORTED_TARGET libgit2)
pkg_check_modules(libseccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(yamlcpp REQUIRED IMPORTED_TARGET yaml-cpp)
pkg_check_modules(treesitter REQUIRED IMPORTED_TARGET tree-sitter)

# Flags for our own code only; dependencies are SYSTEM.
add_library(tenline_flags INTERFACE)
target_include_directories(tenline_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(tenline_flags INTERFACE TENLINE_VERSION="${PROJECT_VERSION}")
target_compile_options(tenline_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wold-style-cast -Wcast-align -Wextra-semi
  $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond;-Wduplicated-branches;-Wlogical-op>
  $<$<BOOL:${TENLINE_WERROR}>:-Werror>)
if(TENLINE_SANITIZE)
  add_compile_options(-fsanitize=${TENLINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TENLINE_SANITIZE})
endif()

# tenline_library(name SOURCES ... DEPS ...): a layer, as target tenline_<name>.
function(tenline_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(tenline_${name} STATIC ${ARG_SOURCES})
  target_link_libraries(tenline_${name} PUBLIC ${ARG_DEPS} PRIVATE tenline_flags)
  target_include_directories(tenline_${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()

# tenline_test(name LABEL label SOURCES ... DEPS ...): a GoogleTest program; each test is a CTest test.
include(GoogleTest)
function(tenline_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;DEPS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  add_executable(tenline_${name} ${ARG_SOURCES})
  target_link_libraries(tenline_${name} PRIVATE ${ARG_DEPS} tenline_flags GTest::gtest_main)
  target_compile_definitions(tenline_${name} PRIVATE
    TENLINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" TENLINE_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(tenline_${name} DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT})
endfunction()
