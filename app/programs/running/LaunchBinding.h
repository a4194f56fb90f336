#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "running/DeviceMemory.h"
#include "running/KernelTexts.h"

namespace haloscope::running {

/// What a pointer argument of a launch points to.
struct BoundPointer {
  std::string parameter;  ///< "in", "grid.data"
  ObjectId object = kNone;
  std::optional<DevicePlace> place{};  ///< none: null, or no address of the device's memory
  bool isNull = false;                 ///< also one to which a little was added
  bool isMoved = false;                ///< of a null pointer: something was added to it
};

/// An array of pointers while it is bound: `given` are the program's addresses, `bound` the emulator's pointers.
struct BoundTable {
  ObjectId object = kNone;
  std::vector<std::byte> given, bound;
};

/// A launch of the program as the emulator executes it. While it exists, it has the bytes of its allocations.
struct BoundLaunch {
  /// The kernel with one object for each allocation: parameters that point into the same one share it.
  std::shared_ptr<const Program> program;
  Launch launch;
  std::vector<BoundPointer> pointers;                          ///< in the order of Program::parameters
  std::vector<std::pair<ObjectId, AllocationId>> allocations;  ///< each once
  std::vector<BoundTable> tables;
};

/// Sizes of the arguments that a launch of the kernel takes, in bytes.
[[nodiscard]] std::vector<std::uint64_t> argumentSizes(const Program& program);

/// Binds the arguments, one after the other as the host has them, to the device's memory, whose bytes move into the
/// launch. Throws InputError if the arguments are not of these sizes, or if a variable that the kernel uses is missing.
[[nodiscard]] BoundLaunch bind(const LaunchedKernel& kernel, const LaunchConfiguration& configuration,
                               std::span<const std::byte> arguments, DeviceMemory& memory);
/// Moves the bytes back.
void unbind(BoundLaunch& bound, DeviceMemory& memory);

}  // namespace haloscope::running
