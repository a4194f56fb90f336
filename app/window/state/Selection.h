#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "recording/BlockView.h"

namespace haloscope {

/// What the pointer or the keyboard has picked out; panels highlight it in common.
struct Selection {
  std::uint32_t thread = 0;            ///< whose variables are shown, linear in the block
  std::optional<std::int64_t> output;  ///< of the thread's outputs: the element that was clicked on
  std::optional<std::uint32_t> hoveredThread;
  std::optional<recording::GridPoint> hoveredPoint;  ///< set by whichever panel the pointer is in
  std::optional<int> hoveredLine;
  std::optional<std::size_t> finding;  ///< index into the report's findings
  bool followFinding = false;          ///< the cursor is to go there when its block is on screen
  std::string showFirstFinding;        ///< variant just opened whose first finding is to be chosen; empty: none
};

}  // namespace haloscope
