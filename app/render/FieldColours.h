#pragma once

#include <array>

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

/// The colour of a share of the range; shares outside 0…1 count as its ends.
[[nodiscard]] FieldColour fieldColour(float share, bool grey = false);

/// What frames and empties the picture, so that it sits in its panel.
struct FieldSurroundings {
  FieldColour background{0.082F, 0.110F, 0.149F};
  FieldColour frame{0.557F, 0.608F, 0.671F};
  FieldColour fault{0.835F, 0.369F, 0.0F};  ///< of values that are NaN or infinite
  bool operator==(const FieldSurroundings&) const = default;
};

}  // namespace haloscope::render
