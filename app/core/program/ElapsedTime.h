#pragma once

#include <chrono>

namespace haloscope {

/// Of wall clock time.
[[nodiscard]] inline double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace haloscope
