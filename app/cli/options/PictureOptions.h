#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

namespace haloscope {

/// A position in the recording; at most one is given. None: the start.
struct Place {
  std::optional<std::int64_t> step, barrier, plane;  ///< barrier: the interval's number
  bool end = false;                                  ///< after the last step, of all compared variants

  /// Whether a step, a barrier interval or a plane is given.
  [[nodiscard]] bool given() const { return step || barrier || plane; }
};

/// A picture of the window, apart from the state it shows.
struct PictureOptions {
  int width = 1600, height = 900;  ///< pixels
  std::filesystem::path output;    ///< the PNG file
  Place place;
  int sweeps = 0;                       ///< of the field, before the picture is taken
  std::optional<std::int64_t> element;  ///< the output element that is selected
  std::optional<std::uint32_t> warp;    ///< of the block, whose first thread is selected
  bool firstFinding = true;             ///< an opened file is shown where its first finding shows, if it has one
  std::optional<std::size_t> finding;   ///< shown instead, counted from 0
  std::optional<std::size_t> launch;    ///< of the program, counted from 0
};

}  // namespace haloscope
