#pragma once

#include <span>
#include <string>

namespace haloscope::host {

/// Both from 1.
struct TextPosition {
  int line = 0, column = 0;
};

/// `float taps[n] = {1, 2};` as GCC and so nvcc take it, and Clang does not: the array is declared, and then assigned
/// to by haloscope_assign() (kRuntimeFunctions). `extents`: where the
/// first extent of each such array begins. Lines stay where they are. What is not
/// written like this is left as it is.
[[nodiscard]] std::string withAssignedArrays(std::string text, std::span<const TextPosition> extents);

}  // namespace haloscope::host
