#pragma once

/// The codes of cudaError_t that the runtime returns for what a program does.
namespace haloscope::running {

inline constexpr int kSuccess = 0;
/// Also what a launch beyond a limit returns: CUDA 13, measured on an H200 (earlier runtimes: 9, invalid
/// configuration).
inline constexpr int kInvalidValue = 1;
inline constexpr int kMemoryAllocation = 2;
inline constexpr int kInvalidSymbol = 13;
inline constexpr int kInvalidResourceHandle = 400;
inline constexpr int kIllegalAddress = 700;
inline constexpr int kLaunchTimeout = 702;
inline constexpr int kAssert = 710;
inline constexpr int kMisalignedAddress = 716;
inline constexpr int kLaunchFailure = 719;
inline constexpr int kCooperativeLaunchTooLarge = 720;
inline constexpr int kInvalidClusterSize = 912;

}  // namespace haloscope::running
