#pragma once

#include <cstdint>

namespace haloscope::analysis {

/// Of two counts; 0 where nothing was counted.
[[nodiscard]] inline double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace haloscope::analysis
