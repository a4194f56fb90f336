#include "measuring/PredictedTime.h"

#include <algorithm>

#include "language/Text.h"
#include "program/NumberText.h"

namespace haloscope::measuring {

double predictedMs(const Roof& roof, std::uint64_t flops, std::uint64_t bytes) {
  const double memory = static_cast<double>(bytes) / (roof.bandwidthGBs * 1e6);
  const double compute = roof.peakGFlops > 0 ? static_cast<double>(flops) / (roof.peakGFlops * 1e6) : 0;
  return std::max(memory, compute);
}

std::uint64_t globalArrayBytes(const experiment::Experiment& experiment) {
  std::uint64_t bytes = 0;
  const std::vector<MemoryObject>& objects = experiment.program->objects;
  for (std::size_t i = 0; i < objects.size() && experiment.launch != nullptr; ++i) {
    if (objects[i].space == MemorySpace::Global) { bytes += experiment.launch->arrays.at(i).bytes.size(); }
  }
  return bytes;
}

std::string whyNotPredicted(const PredictedTime& time) {
  if (static_cast<double>(time.arrayBytes) >= kFillsTheGpu) { return {}; }
  return trf(
      "No time is predicted: the arrays take {}. Below {}, launching and the caches decide, which the formula leaves "
      "out.",
      byteText(time.arrayBytes), byteText(static_cast<std::uint64_t>(kFillsTheGpu)));
}

std::string assumptions() {
  return tr(
      "The longer of bytes / bandwidth and operations / peak. Launch overhead, latency, occupancy and divergence "
      "are left out, and small arrays stay in the caches: a real launch differs.");
}

PredictedTime predictedTime(const experiment::Experiment& experiment, const GpuSpec& gpu) {
  const Roof roof = roofOf(gpu, computedType(experiment));
  PredictedTime time{.executedBytes = experiment.counts.globalLoadBytes + experiment.counts.globalStoreBytes,
                     .arrayBytes = globalArrayBytes(experiment),
                     .flops = experiment.counts.flops};
  time.uncachedMs = predictedMs(roof, time.flops, time.executedBytes);
  time.onceMs = predictedMs(roof, time.flops, time.arrayBytes);
  time.peakKnown = roof.peakGFlops > 0;
  return time;
}

}  // namespace haloscope::measuring
