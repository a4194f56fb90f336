#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/DecodedStep.h"

namespace haloscope::simt {

/// Throws InputError if the launch does not fit the program: too many threads per block, too much shared or local
/// memory, or an array that is missing or has the wrong type or size.
void checkLaunch(const Program& program, const Launch& launch);

/// Bytes of all local arrays of a thread.
[[nodiscard]] std::int64_t localBytes(const Program& program);

/// The bytes of a constant that the text initialises, or leaves at 0.
[[nodiscard]] std::vector<std::byte> initialBytes(const MemoryObject& object);

/// Where a block's shared arrays are. Declared ones are consecutive; all `extern __shared__` arrays begin at the same
/// offset behind them.
struct SharedPlacement {
  std::vector<std::size_t> offsets;  ///< one per Program::objects
  std::size_t bytes = 0;
};
[[nodiscard]] SharedPlacement placeShared(const Program& program, std::int64_t dynamicBytes);

/// The memory visible to all blocks of a launch: its global arrays and constants as pointer targets.
class LaunchMemory {
 public:
  /// Uses the global arrays of `launch` in place, which must outlive this object.
  LaunchMemory(const Program& program, Launch& launch);

  /// One per Program::objects. Shared and Local objects have a size but no data, which each block provides.
  [[nodiscard]] const std::vector<ObjectView>& objects() const { return objects_; }

 private:
  std::vector<ObjectView> objects_;
  std::vector<std::vector<std::byte>> initialised_;  ///< constants initialised in the source, not by the launch
};

}  // namespace haloscope::simt
