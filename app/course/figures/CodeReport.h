#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "catalogue/KernelFile.h"
#include "driver/Occupancy.h"

namespace haloscope::gpu {
class Compiler;
}
namespace haloscope::measuring {
struct GpuSpec;
}

/// What NVIDIA's compiler reports about kernels: registers, shared memory, spills. Needs no GPU.
namespace haloscope::figures {

/// A GPU to compile for.
struct CodeTarget {
  int capability = 0;       ///< 86 for sm_86
  std::string name;         ///< "NVIDIA GeForce RTX 3060 (12 GB)"; "sm_86" for a bare architecture
  int multiprocessors = 0;  ///< 0 if not known
  bool operator==(const CodeTarget&) const = default;
};
/// Parses "sm_86", "8.6" or "86". Throws InputError for anything else, or if the multiprocessor's limits are unknown.
[[nodiscard]] CodeTarget targetOfArchitecture(const std::string& text);
/// What code is compiled for on a GPU of assets/gpus.json.
[[nodiscard]] CodeTarget codeTarget(const measuring::GpuSpec& gpu);
/// "8.6"
[[nodiscard]] std::string computeCapability(const CodeTarget& target);

/// The report of one kernel at one set of tunables.
struct CodeReport {
  std::string id, title;
  Bindings bindings;        ///< complete
  std::int64_t points = 0;  ///< taps; 0 if no header states them
  std::uint32_t threads = 0;
  bool done = false;             ///< compiled, or the launch is rejected
  std::string problem;           ///< why there are no numbers, one sentence
  int registers = 0;             ///< per thread
  int spillBytes = 0;            ///< spill stores per thread
  int stackBytes = 0;            ///< local memory per thread
  std::int64_t sharedBytes = 0;  ///< per block: the assembler's plus the launch's dynamic bytes
  gpu::Occupancy occupancy;
};

/// NVRTC, located once. Its results are cached on disk.
class CodeReporter {
 public:
  CodeReporter();

  /// Why nothing can be compiled, one sentence; empty if NVRTC is available.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// "13.0"; empty without NVRTC.
  [[nodiscard]] std::string version() const;
  /// Compiles and reports; failures are described in the report's `problem`. Takes about 30 ms, less if cached on disk.
  /// May be called from several threads.
  void report(const KernelFile& file, CodeReport& report, const CodeTarget& target) const;

 private:
  std::shared_ptr<const gpu::Compiler> compiler_;
  std::string missing_;
};

/// The chosen kernel at each size of its tile or block, ascending; nothing is compiled yet. `tunable` is the first that
/// does not change what is computed, as in tuningAxes(); without one there is a single row.
[[nodiscard]] std::vector<CodeReport> planSizes(const KernelFile& file, const Bindings& bindings);

/// All variants of the kernel's chapter by ascending number of points, each at its defaults, overridden by the values
/// in `bindings` that differ from the kernel's defaults and that the variant accepts. A kernel of no chapter is alone.
[[nodiscard]] std::vector<CodeReport> planVariants(const Catalogue& catalogue, const KernelFile& file,
                                                   const Bindings& bindings);

/// As planVariants(), each at every size of its tile or block; a tile size that differs from the kernel's default
/// applies to all variants that have it.
[[nodiscard]] std::vector<CodeReport> planVariantSizes(const Catalogue& catalogue, const KernelFile& file,
                                                       const Bindings& bindings);

}  // namespace haloscope::figures
