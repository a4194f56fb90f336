#pragma once

/// The codes of cudaError_t that the runtime returns for what a program does.
namespace haloscope::running {

inline constexpr int kSuccess = 0;
inline constexpr int kInvalidValue = 1;
inline constexpr int kMemoryAllocation = 2;
inline constexpr int kInvalidConfiguration = 9;
inline constexpr int kInvalidSymbol = 13;
inline constexpr int kIllegalAddress = 700;
inline constexpr int kLaunchTimeout = 702;
inline constexpr int kMisalignedAddress = 716;
inline constexpr int kCooperativeLaunchTooLarge = 720;

}  // namespace haloscope::running
