#include "render/FieldColours.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace haloscope::render {

FieldColour fieldColour(float share, bool grey) {
  const auto& scale = grey ? kGreyScale : kFieldScale;
  const float at = std::clamp(share, 0.0F, 1.0F) * static_cast<float>(scale.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), scale.size() - 2);
  FieldColour colour{};
  for (std::size_t channel = 0; channel < colour.size(); ++channel) {
    colour.at(channel) =
        std::lerp(scale.at(below).at(channel), scale.at(below + 1).at(channel), at - static_cast<float>(below));
  }
  return colour;
}

}  // namespace haloscope::render
