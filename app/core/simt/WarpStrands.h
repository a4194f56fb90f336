#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/Program.h"

namespace haloscope::simt {

/// One construct that lanes of a warp are in: the masks to restore when it ends.
struct MaskFrame {
  LaneMask entered = 0;        ///< the mask when the construct began
  LaneMask gone = 0;           ///< the lanes that were out of the mask then, until their construct ends
  LaneMask elseLanes = 0;      ///< of an if
  LaneMask continued = 0;      ///< of a loop: lanes waiting for its next iteration
  LaneMask returned = 0;       ///< of a call: lanes that had returned from the one around it
  std::uint32_t loop = kNone;  ///< of a loop: index into Program::loops
  std::uint64_t iterations = 0;
};

/// Where some lanes of a warp are in the program.
struct LanePosition {
  std::uint32_t node = 0;  ///< index into DecodedProgram::nodes of what runs next
  LaneMask lanes = 0;      ///< all that go this way together, active or not
  LaneMask active = 0;
  LaneMask gone = 0;
  LaneMask returned = 0;  ///< lanes that returned from the current inlined function
  std::uint32_t depth = 0;
  std::vector<MaskFrame> frames;

  /// Leaves these lanes only.
  void keep(LaneMask only) {
    lanes &= only;
    active &= only;
    gone &= only;
    returned &= only;
    for (std::uint32_t at = 0; at < depth; ++at) {
      MaskFrame& frame = frames[at];
      frame.entered &= only;
      frame.gone &= only;
      frame.elseLanes &= only;
      frame.continued &= only;
      frame.returned &= only;
    }
  }
  [[nodiscard]] bool isWith(const LanePosition& other) const { return node == other.node && depth == other.depth; }
  /// Adds lanes that are at the same node.
  void join(const LanePosition& other) {
    lanes |= other.lanes;
    active |= other.active;
    gone |= other.gone;
    returned |= other.returned;
    for (std::uint32_t at = 0; at < depth; ++at) {
      MaskFrame& frame = frames[at];
      const MaskFrame& added = other.frames[at];
      frame.entered |= added.entered;
      frame.gone |= added.gone;
      frame.elseLanes |= added.elseLanes;
      frame.continued |= added.continued;
      frame.returned |= added.returned;
    }
  }
};

/// Lanes of a warp that have gone their own way, and stand by while others of it run: since Volta, a GPU lets the lanes
/// of a warp go on independently. Here they do where it matters, that is where some wait in a loop for what others do.
struct Strand {
  LanePosition position;
  std::vector<std::byte> own;     ///< the warp's registers
  std::vector<std::byte> common;  ///< those that it shares with other warps
  bool waits = false;             ///< at a barrier, or at an exchange with other lanes, for those to come
  bool spun = false;              ///< waited in a loop when it last ran
};

}  // namespace haloscope::simt
