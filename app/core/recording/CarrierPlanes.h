#pragma once

#include <cstdint>
#include <vector>

#include "recording/BlockView.h"
#include "recording/Recording.h"

namespace haloscope::recording {

/// Which plane of the grid a carrier holds when an output is written.
enum class CarrierPlane : std::uint8_t {
  Current,   ///< that of the output; also of a carrier that holds no single plane
  Previous,  ///< one before it
  Next,      ///< one after it
};

/// One for each carrier, at the last step that writes an output: by then every carrier of a rotation has been filled.
[[nodiscard]] std::vector<CarrierPlane> carrierPlanes(const Recording& recording, const Footprint& footprint,
                                                      const std::vector<Carrier>& carriers);

}  // namespace haloscope::recording
