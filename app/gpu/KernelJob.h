#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gpu/Kernel.h"

namespace haloscope::gpu {

/// What another process is given to run a kernel: of the program only what a launch needs.
struct KernelJob {
  DeviceOptions device;
  KernelText text;
  Program program;
  Launch launch;
  /// The arrays that change places from sweep to sweep, and whose bytes `launch` lacks; kNone: one launch of all.
  ObjectId input = kNone, output = kNone;

  [[nodiscard]] bool sweeps() const { return input != kNone; }
};

/// For a process of the same program: the layout is no file format.
[[nodiscard]] std::vector<std::byte> encode(const KernelJob& job);
/// Throws InputError if the bytes end early.
[[nodiscard]] KernelJob decode(std::span<const std::byte> bytes);

}  // namespace haloscope::gpu
