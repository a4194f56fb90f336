#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "state/FieldStatus.h"

namespace haloscope {

/// A field that was swept a number of times without a window, and timed.
struct PlayedField {
  std::vector<std::int64_t> extents{};        ///< slowest first
  std::string gpu{};                          ///< that swept it; empty: the emulator did
  double medianMs = 0, p10Ms = 0, p90Ms = 0;  ///< of a sweep
  int samples = 0;                            ///< sweeps that were timed; 0: none
  std::string timed{};                        ///< how
  std::optional<FieldStatus::Residual> residual{};
  std::string note{};  ///< why not on the GPU, or why a sweep is no step in time; empty: neither
};

}  // namespace haloscope
