#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "driver/Kernel.h"

namespace haloscope::gpu {

/// What another process needs to run a kernel: of the program only what a launch needs.
struct KernelJob {
  DeviceOptions device;
  KernelText text;
  Program program;
  Launch launch;
  /// The arrays that are exchanged after each sweep, whose bytes are not in `launch`; kNone: a single launch.
  ObjectId input = kNone, output = kNone;

  [[nodiscard]] bool sweeps() const { return input != kNone; }
};

/// A job in CBOR, without the bytes of its arrays: they are shared between the processes, and not copied.
[[nodiscard]] std::vector<std::byte> encode(const KernelJob& job);
/// The job, with the bytes of its arrays as storeArrays() left them. Throws InputError if the job is malformed or its
/// arrays do not have `arrays.size()` bytes in all.
[[nodiscard]] KernelJob decodeJob(std::span<const std::byte> job, std::span<const std::byte> arrays);

/// The bytes of all arrays of a launch.
[[nodiscard]] std::size_t arrayBytes(const Launch& launch);
/// Copies the arrays of a launch into `to`, one after another. Throws InputError if `to` has not arrayBytes(launch).
void storeArrays(const Launch& launch, std::span<std::byte> to);

}  // namespace haloscope::gpu
