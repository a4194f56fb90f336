#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "recording/BlockView.h"
#include "recording/Recording.h"

namespace haloscope::recording {

/// The place of a carrier in a rotation prev <- curr <- next.
enum class RotationPlace : std::uint8_t {
  None,      ///< it takes part in none
  Previous,  ///< when an output is written, it holds the plane before that of the output
  Current,
  Next,
};

struct CarrierPlane {
  RotationPlace place = RotationPlace::None;
  /// Grid planes from that of the output to the one it holds; none for a carrier that holds no single plane.
  std::optional<int> ahead;

  bool operator==(const CarrierPlane&) const = default;
};

/// One for each carrier, at the last step that writes an output: by then every carrier of a rotation has been filled.
/// There is a rotation if carriers of one plane each hold different ones.
[[nodiscard]] std::vector<CarrierPlane> carrierPlanes(const Recording& recording, const Footprint& footprint,
                                                      const std::vector<Carrier>& carriers);

}  // namespace haloscope::recording
