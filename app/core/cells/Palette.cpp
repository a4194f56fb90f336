#include "cells/Palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "language/Text.h"

namespace haloscope::cells {

namespace {

constexpr Palette kDark{
    .background = rgb(0x0E131A),
    .panel = rgb(0x151C26),
    .panelRaised = rgb(0x202A38),
    .border = rgb(0x2A3544),
    .text = rgb(0xD7DEE8),
    .textDim = rgb(0x8E9BAB),
    .accent = rgb(0x56B4E9),
    .interior = rgb(0x56B4E9),
    .halo = rgb(0xE69F00),
    .output = rgb(0x009E73),
    .previous = rgb(0xCC79A7),
    .active = rgb(0xF0E442),
    .activeEdge = 0,
    .activeText = rgb(0xF0E442),
    .fault = rgb(0xDD3D2D),
    .ghost = rgb(0x5B6675),
    .good = rgb(0x7FD1AE),
    .series = rgb(0xA99BE8),
};

// The same hues, darkened until they stand out on white. Yellow darkened is olive: "active" stays yellow and has a dark
// edge instead.
constexpr Palette kLight{
    .background = rgb(0xE6EAF0),
    .panel = rgb(0xFFFFFF),
    .panelRaised = rgb(0xEDF1F6),
    .border = rgb(0xC6CFDA),
    .text = rgb(0x17202B),
    .textDim = rgb(0x566373),
    .accent = rgb(0x1272BE),
    .interior = rgb(0x1272BE),
    .halo = rgb(0xC27B00),
    .output = rgb(0x007A58),
    .previous = rgb(0xA8387E),
    .active = rgb(0xF0D800),
    .activeEdge = rgb(0x4F4700),
    .activeText = rgb(0x6B5D00),
    .fault = rgb(0xC2261A),
    .ghost = rgb(0x98A4B3),
    .good = rgb(0x00724F),
    .series = rgb(0x6A4FC0),
};

}  // namespace

const Palette& paletteOf(bool light) { return light ? kLight : kDark; }

Colour mixed(Colour from, Colour to, float share) {
  Colour result = 0xff000000U;
  for (const unsigned shift : {0U, 8U, 16U}) {
    const auto a = static_cast<float>(from >> shift & 0xffU);
    const auto b = static_cast<float>(to >> shift & 0xffU);
    result |= static_cast<Colour>(std::lround(a + (b - a) * std::clamp(share, 0.0F, 1.0F))) << shift;
  }
  return result;
}

Colour colourOf(const Palette& palette, recording::RotationPlace place) {
  using recording::RotationPlace;
  return place == RotationPlace::Previous ? palette.previous
         : place == RotationPlace::Next   ? palette.output
                                          : palette.interior;
}

Colour colourOf(const Palette& palette, recording::Role role, recording::RotationPlace place) {
  const std::array<Colour, kRoleNames.size()> colours = {colourOf(palette, place),
                                                         palette.halo,
                                                         palette.ghost,
                                                         mixed(palette.panel, palette.ghost, 0.35F),
                                                         mixed(palette.output, palette.text, 0.35F),
                                                         palette.output,
                                                         mixed(palette.panel, palette.output, 0.35F)};
  return colours.at(static_cast<std::size_t>(role));
}

Colour colourOf(const Palette& palette, recording::LaneStatus status) {
  const std::array<Colour, kStatusNames.size()> colours = {palette.active,
                                                           palette.halo,
                                                           palette.output,
                                                           palette.ghost,
                                                           mixed(palette.panel, palette.text, 0.55F),
                                                           mixed(palette.panel, palette.ghost, 0.35F),
                                                           mixed(palette.panel, palette.ghost, 0.6F)};
  return colours.at(static_cast<std::size_t>(status));
}

Colour colourOf(const Palette& palette, recording::Activity activity) {
  const std::array<Colour, kActivityNames.size()> colours = {
      palette.ghost,    palette.halo, palette.output, mixed(palette.panel, palette.text, 0.55F),
      palette.interior, palette.text};
  return colours.at(static_cast<std::size_t>(activity));
}

const char* name(recording::Role role) { return tr(kRoleNames.at(static_cast<std::size_t>(role))); }
const char* name(recording::LaneStatus status) { return tr(kStatusNames.at(static_cast<std::size_t>(status))); }
const char* name(recording::Activity activity) { return tr(kActivityNames.at(static_cast<std::size_t>(activity))); }

std::string cssColour(Colour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour & 0xffU, colour >> 8U & 0xffU, colour >> 16U & 0xffU);
}

std::string cssVariables() {
  const auto variables = [](const Palette& of) {
    const std::array<std::pair<const char*, Colour>, 17> colours = {
        {{"background", of.background},
         {"panel", of.panel},
         {"raised", of.panelRaised},
         {"border", of.border},
         {"text", of.text},
         {"dim", of.textDim},
         {"accent", of.accent},
         {"interior", of.interior},
         {"halo", of.halo},
         {"output", of.output},
         {"previous", of.previous},
         {"active", of.active},
         {"edge", of.activeEdge == 0 ? of.panel : of.activeEdge},
         {"fault", of.fault},
         {"ghost", of.ghost},
         {"good", of.good},
         {"now", mixed(of.panel, of.active, 0.3F)}}};
    std::string text;
    for (const auto& [name, colour] : colours) { text += fmt::format("--{}:{};", name, cssColour(colour)); }
    return text;
  };
  return fmt::format(":root{{color-scheme:light dark;{}}}\n@media (prefers-color-scheme: dark){{:root{{{}}}}}\n",
                     variables(kLight), variables(kDark));
}

}  // namespace haloscope::cells
