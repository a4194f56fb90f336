#pragma once

#include <array>
#include <cstddef>

/// What KernelProcess and the process it starts say to each other: one such packet at a time.
namespace haloscope::gpu {

/// The files that the new process finds open.
inline constexpr int kSocketFile = 3, kJobFile = 4, kFieldFile = 5;
inline constexpr std::size_t kTimesTold = 64;

struct KernelRequest {
  enum Kind : int { Replace, Run } kind = Run;
  int sweeps = 0;
};

struct KernelReply {
  enum Kind : int { Ready, Done, Failed } kind = Ready;
  int times = 0;
  std::array<double, kTimesTold> milliseconds{};
  /// Ready: the GPU's name. Failed: why, ending in a zero.
  std::array<char, 2000> text{};
};

}  // namespace haloscope::gpu
