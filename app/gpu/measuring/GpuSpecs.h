#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace haloscope::measuring {

/// A GPU to predict for, from assets/gpus.json.
struct GpuSpec {
  std::string name;
  double bandwidthGBs = 0;  ///< DRAM, 10^9 bytes/s
  double fp32GFlops = 0;    ///< 10^9 single-precision operations/s, a fused multiply-add counted as two
  double fp64GFlops = 0;
  int multiprocessors = 0;
  std::string computeCapability;
  double memoryGiB = 0, l2MiB = 0, clockMHz = 0;  ///< 0: not known
  std::string source;                             ///< where the figures come from
};

/// Reads assets/gpus.json: the GPUs that the roofline can predict for, in the file's order.
/// Throws InputError naming the file, the entry and the field when it cannot be read, lacks a field (of memory,
/// L2 and clock each may be missing), or holds a figure that is not positive.
[[nodiscard]] std::vector<GpuSpec> readGpuSpecs(const std::filesystem::path& file);
/// Those of Haloscope's own assets/gpus.json. Throws InputError.
[[nodiscard]] std::vector<GpuSpec> knownGpus();
/// The index of the one that is meant where none is chosen: what the lessons speak of, and what was recorded for the
/// climb. Not of an empty list.
[[nodiscard]] std::size_t defaultGpuAmong(const std::vector<GpuSpec>& gpus);
[[nodiscard]] GpuSpec defaultGpu();

}  // namespace haloscope::measuring
