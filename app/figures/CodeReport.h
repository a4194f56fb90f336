#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/Occupancy.h"
#include "program/Catalogue.h"
#include "program/KernelFile.h"

namespace haloscope::gpu {
class Compiler;
}

/// What the real compiler makes of kernels: registers, shared memory, spills. No GPU is needed for any of it.
namespace haloscope::figures {

/// A GPU to compile for.
struct CodeTarget {
  int capability = 0;       ///< 86 for sm_86
  std::string name;         ///< "NVIDIA GeForce RTX 3060 (12 GB)"; of an architecture alone "sm_86"
  int multiprocessors = 0;  ///< 0: not known
  bool operator==(const CodeTarget&) const = default;
};
/// "sm_86", "8.6" or "86". Throws InputError for what is no architecture, or one whose multiprocessors are not known.
[[nodiscard]] CodeTarget targetOfArchitecture(const std::string& text);
/// "8.6"
[[nodiscard]] std::string computeCapability(const CodeTarget& target);

/// Of one kernel at one set of tunables.
struct CodeReport {
  std::string id, title;
  Bindings bindings;        ///< all of them
  std::int64_t points = 0;  ///< taps; 0: no header says them
  std::uint32_t threads = 0;
  bool done = false;             ///< the compiler was asked, or the launch is refused
  std::string problem;           ///< why there are no numbers, one sentence
  int registers = 0;             ///< of a thread
  int spillBytes = 0;            ///< stored by a thread because registers ran out
  int stackBytes = 0;            ///< local memory of a thread
  std::int64_t sharedBytes = 0;  ///< of a block: as the assembler says, and what the launch asks for beside
  gpu::Occupancy occupancy;
};

/// NVRTC, looked for once. Its results are kept on disk for the next start.
class CodeReporter {
 public:
  CodeReporter();

  /// Why nothing can be compiled, one sentence; empty: NVRTC is here.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// "13.0"; empty without NVRTC.
  [[nodiscard]] std::string version() const;
  /// Asks the compiler; what stands against it is said in the report's problem. Takes about 30 ms, less where it is
  /// kept on disk. May be called from several threads.
  void report(const KernelFile& file, CodeReport& report, const CodeTarget& target) const;

 private:
  std::shared_ptr<const gpu::Compiler> compiler_;
  std::string missing_;
};

/// The chosen kernel at each size of its tile or block, ascending; nothing is compiled yet. `tunable`: the first that
/// does not change what is computed, as tuningAxes() has it; without one the kernel as it is.
[[nodiscard]] std::vector<CodeReport> planSizes(const KernelFile& file, const Bindings& bindings);

/// All variants of the kernel's chapter, each at its own defaults but for what `bindings` have that is not the kernel's
/// default, where the variant can take it; with more points last. A kernel of no chapter stands alone.
[[nodiscard]] std::vector<CodeReport> planVariants(const Catalogue& catalogue, const KernelFile& file,
                                                   const Bindings& bindings);

/// As planVariants(), each at every size of its own tile or block; a tile size that is no default of the kernel's holds
/// for all variants that have it.
[[nodiscard]] std::vector<CodeReport> planVariantSizes(const Catalogue& catalogue, const KernelFile& file,
                                                       const Bindings& bindings);

}  // namespace haloscope::figures
