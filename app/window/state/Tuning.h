#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "measuring/TuningMap.h"

namespace haloscope {

/// Which number of the tuning map is shown.
enum class TuningQuantity : std::uint8_t { Time, Bandwidth, OfCopy, Occupancy, Registers, Spills };

/// The tuning map, and the user's settings of it; filled by the App while its panel is in front.
struct Tuning {
  std::int64_t size = 0;  ///< given to every size of the kernel; 0: one that fills the GPU
  measuring::AxisChoice axes;
  TuningQuantity quantity = TuningQuantity::Time;
  std::shared_ptr<const measuring::TuningMap> map;  ///< as far as it is filled; null: none yet
  std::string text;                                 ///< of the kernel that it is of
  bool running = false;
};

}  // namespace haloscope
