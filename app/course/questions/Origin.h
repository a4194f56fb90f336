#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace haloscope::questions {

/// Where a number comes from.
enum class Origin : std::uint8_t {
  Executed,    ///< counted, recorded or traced while the kernel ran
  Launch,      ///< sizes, tunables, grid and arrays, as they are before anything runs
  Header,      ///< the formula in the kernel's header
  Definition,  ///< the points that the header says an output is made of
  Text,        ///< the kernel's statements, not executed
  Compiler,    ///< NVIDIA's compiler
  Recorded,    ///< measured on a GPU, once
  DataSheet,   ///< of a GPU
};

/// All that a number is made of; empty for a calculation with numbers alone.
using Origins = std::set<Origin>;

/// "executed", as JSON has it.
[[nodiscard]] const char* name(Origin origin);
[[nodiscard]] std::vector<std::string> names(const Origins& origins);
/// "Computed by executing the kernel."
[[nodiscard]] const char* sentence(Origin origin);
/// What stands before a number: "executed", "by the kernel's definition, from the launch".
[[nodiscard]] std::string label(const Origins& origins);

}  // namespace haloscope::questions
