#pragma once

#include <cstdint>
#include <string>

#include "experiment/Experiment.h"
#include "measuring/GpuSpecs.h"
#include "measuring/Roofline.h"

/// How long a launch takes by the roofline of a GPU: a formula with the counts of the emulator, not a measurement.
namespace haloscope::measuring {

/// Every byte crosses DRAM at the GPU's full bandwidth, every operation runs at its peak, and the longer of the two
/// decides. Launch overhead, latency, occupancy and divergence are left out.
struct PredictedTime {
  std::uint64_t executedBytes = 0;  ///< global loads and stores of all threads
  std::uint64_t arrayBytes = 0;     ///< the launch's global arrays
  std::uint64_t flops = 0;
  double uncachedMs = 0;  ///< as if no cache served any access: the executed bytes
  double onceMs = 0;      ///< as if the caches served every repeated access: each array once
  bool peakKnown = true;  ///< false for half precision: the operations are left out
};

/// Bytes of arrays: below this, launch overhead and caches dominate, which the formula leaves out.
inline constexpr double kFillsTheGpu = 64e6;

/// Of all arrays in global memory that the launch was given.
[[nodiscard]] std::uint64_t globalArrayBytes(const experiment::Experiment& experiment);

[[nodiscard]] PredictedTime predictedTime(const experiment::Experiment& experiment, const GpuSpec& gpu);

/// Why the formula says nothing of a launch: what it leaves out takes longer. A sentence; empty: it does say something.
[[nodiscard]] std::string whyNotPredicted(const PredictedTime& time);

/// What the formula leaves out, in sentences.
[[nodiscard]] std::string assumptions();

/// Milliseconds under a roof; without a peak the operations are left out.
[[nodiscard]] double predictedMs(const Roof& roof, std::uint64_t flops, std::uint64_t bytes);

}  // namespace haloscope::measuring
