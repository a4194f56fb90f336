#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace haloscope::render {

/// Red, green, blue as sRGB, 0…1.
using FieldColour = std::array<float, 3>;

/// The stops of the field's colour scale, evenly spaced from low to high: near-black blue, the palette's blue #56B4E9,
/// the palette's yellow #F0E442. Its lightness grows evenly and its hue only from blue to yellow, so that neither a
/// colour-blind person nor a greyscale print loses anything.
inline constexpr std::array<FieldColour, 6> kFieldScale{{
    {0.055F, 0.098F, 0.176F},
    {0.071F, 0.216F, 0.396F},
    {0.157F, 0.439F, 0.671F},
    {0.337F, 0.706F, 0.914F},
    {0.663F, 0.827F, 0.631F},
    {0.961F, 0.902F, 0.294F},
}};

/// The same for a picture, whose values are brightness.
inline constexpr std::array<FieldColour, 6> kGreyScale{{
    {0.0F, 0.0F, 0.0F},
    {0.2F, 0.2F, 0.2F},
    {0.4F, 0.4F, 0.4F},
    {0.6F, 0.6F, 0.6F},
    {0.8F, 0.8F, 0.8F},
    {1.0F, 1.0F, 1.0F},
}};

/// For values of both signs: zero, in the middle, is a grey near the background; blue below and orange above it, which
/// colour-blind people tell apart, and as far from the background in lightness as the value is from zero.
inline constexpr std::array<FieldColour, 7> kSignedOnDark{{
    {0.690F, 0.886F, 1.0F},
    {0.337F, 0.706F, 0.914F},
    {0.145F, 0.373F, 0.553F},
    {0.155F, 0.165F, 0.180F},
    {0.510F, 0.310F, 0.035F},
    {0.902F, 0.624F, 0.0F},
    {1.0F, 0.871F, 0.557F},
}};
inline constexpr std::array<FieldColour, 7> kSignedOnLight{{
    {0.016F, 0.180F, 0.369F},
    {0.0F, 0.447F, 0.698F},
    {0.510F, 0.741F, 0.898F},
    {0.933F, 0.933F, 0.925F},
    {0.957F, 0.733F, 0.420F},
    {0.761F, 0.412F, 0.0F},
    {0.400F, 0.176F, 0.0F},
}};

enum class FieldScale : std::uint8_t { Plain, Grey, SignedOnDark, SignedOnLight };

/// The scale's colours, evenly spaced from low to high.
[[nodiscard]] std::span<const FieldColour> stopsOf(FieldScale scale);
/// The colour of a share of the range; shares outside 0…1 count as its ends.
[[nodiscard]] FieldColour fieldColour(float share, FieldScale scale = FieldScale::Plain);

/// Whether values from `low` to `high` have both signs. Those of the lesser sign count when they are more than a
/// twentieth of the range: rounding also leaves a little below zero.
[[nodiscard]] bool isSigned(float low, float high);
/// The ends of the scale for such values: where they have both signs, as far below zero as above.
[[nodiscard]] std::array<float, 2> scaleEnds(float low, float high);

/// What frames and empties the picture, so that it sits in its panel.
struct FieldSurroundings {
  FieldColour background{0.082F, 0.110F, 0.149F};
  FieldColour frame{0.557F, 0.608F, 0.671F};
  FieldColour fault{0.835F, 0.369F, 0.0F};  ///< of values that are NaN or infinite
  bool operator==(const FieldSurroundings&) const = default;
  /// The scale of values from `low` to `high` in these surroundings; `grey`: of a picture.
  [[nodiscard]] FieldScale scaleOf(float low, float high, bool grey) const;
};

}  // namespace haloscope::render
