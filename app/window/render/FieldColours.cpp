#include "render/FieldColours.h"

#include <algorithm>
#include <cstddef>

namespace haloscope::render {

std::span<const FieldColour> stopsOf(FieldScale scale) {
  switch (scale) {
    case FieldScale::Grey:
      return kGreyScale;
    case FieldScale::SignedOnDark:
      return kSignedOnDark;
    case FieldScale::SignedOnLight:
      return kSignedOnLight;
    case FieldScale::Plain:
      break;
  }
  return kFieldScale;
}

FieldColour fieldColour(float share, FieldScale scale) {
  const std::span<const FieldColour> stops = stopsOf(scale);
  const float at = std::clamp(share, 0.0F, 1.0F) * static_cast<float>(stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  FieldColour colour{};
  for (std::size_t channel = 0; channel < colour.size(); ++channel) {
    colour.at(channel) =
        std::lerp(stops[below].at(channel), stops[below + 1].at(channel), at - static_cast<float>(below));
  }
  return colour;
}

bool isSigned(float low, float high) {
  constexpr float kLeastShare = 0.05F;
  return std::min(-low, high) > kLeastShare * (high - low);
}

std::array<float, 2> scaleEnds(float low, float high) {
  if (!isSigned(low, high)) { return {low, high}; }
  const float most = std::max(-low, high);
  return {-most, most};
}

FieldScale FieldSurroundings::scaleOf(float low, float high, bool grey) const {
  if (grey) { return FieldScale::Grey; }
  if (!isSigned(low, high)) { return FieldScale::Plain; }
  const bool light = background[0] + background[1] + background[2] > 1.5F;
  return light ? FieldScale::SignedOnLight : FieldScale::SignedOnDark;
}

}  // namespace haloscope::render
