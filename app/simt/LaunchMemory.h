#pragma once

#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "simt/Step.h"

namespace haloscope::simt {

/// Throws InputError, with the numbers in its message, if the launch does not fit the program: a block of too many
/// threads, too much shared memory, an array that is missing or has the wrong type or size.
void checkLaunch(const Program& program, const Launch& launch);

/// The memory that all blocks of a launch see: its global arrays and constants as objects that pointers name.
class LaunchMemory {
 public:
  /// Global arrays are those of `launch`, in place: it must outlive this.
  LaunchMemory(const Program& program, Launch& launch);

  /// One per Program::objects. Shared and Local ones have their size but no data: each block brings its own.
  [[nodiscard]] const std::vector<ObjectView>& objects() const { return objects_; }

 private:
  std::vector<ObjectView> objects_;
  std::vector<std::vector<std::byte>> initialised_;  ///< constants whose values the text gives, not the launch
};

}  // namespace haloscope::simt
