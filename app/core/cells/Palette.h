#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "language/Text.h"
#include "recording/BlockView.h"
#include "recording/CarrierPlanes.h"

/// The one table of colours, for the window, for pages and for paper. A role has one colour everywhere. The hues are
/// those of Okabe and Ito, which colour-blind people can tell apart; that of faults is the red of Paul Tol's scheme
/// "sunset", since their vermillion is too close to the orange of the halo on a projector.
namespace haloscope::cells {

/// 0xAABBGGRR, as ImGui packs colours.
using Colour = std::uint32_t;
/// Of 0xRRGGBB, opaque.
[[nodiscard]] constexpr Colour rgb(std::uint32_t hex) {
  return 0xff000000U | (hex & 0xffU) << 16U | (hex & 0xff00U) | hex >> 16U;
}

struct Palette {
  Colour background, panel, panelRaised, border, text, textDim, accent;
  Colour interior;  ///< interior points, the current plane
  Colour halo;
  Colour output;      ///< output points, the next plane
  Colour previous;    ///< the previous plane
  Colour active;      ///< active lanes, the cursor, what the current step touches: fills and outlines
  Colour activeEdge;  ///< around `active` where the background is nearly as bright as it; else transparent
  Colour activeText;  ///< words about the current step
  Colour fault;
  Colour ghost;
  Colour good;
  Colour series;  ///< a curve or a bar that represents none of the roles
};

/// The palette of the dark or the light theme. Paper has the light one's hues.
[[nodiscard]] const Palette& paletteOf(bool light);

/// Between two opaque colours: `from` at 0, `to` at 1.
[[nodiscard]] Colour mixed(Colour from, Colour to, float share);

/// Of an array that holds a plane, and of its interior points.
[[nodiscard]] Colour colourOf(const Palette& palette, recording::RotationPlace place);
/// `place`: of the array that the cell belongs to.
[[nodiscard]] Colour colourOf(const Palette& palette, recording::Role role,
                              recording::RotationPlace place = recording::RotationPlace::None);
[[nodiscard]] Colour colourOf(const Palette& palette, recording::LaneStatus status);
[[nodiscard]] Colour colourOf(const Palette& palette, recording::Activity activity);

// In the order of recording::Role, LaneStatus and Activity.
inline constexpr auto kRoleNames =
    std::to_array({trMark("interior"), trMark("halo"), trMark("ghost"), trMark("unwritten"), trMark("computed"),
                   trMark("output"), trMark("pending output")});
inline constexpr auto kStatusNames =
    std::to_array({trMark("computing"), trMark("loading"), trMark("storing"), trMark("masked off"),
                   trMark("waiting at the barrier"), trMark("exited"), trMark("idle")});
inline constexpr auto kActivityNames = std::to_array(
    {trMark("control"), trMark("load"), trMark("output"), trMark("move"), trMark("compute"), trMark("barrier")});
[[nodiscard]] const char* name(recording::Role role);
[[nodiscard]] const char* name(recording::LaneStatus status);
[[nodiscard]] const char* name(recording::Activity activity);

/// "#56b4e9".
[[nodiscard]] std::string cssColour(Colour colour);
/// The palette as the variables --panel, --halo … of a style sheet: light, and dark where the reader prefers that.
[[nodiscard]] std::string cssVariables();

}  // namespace haloscope::cells
