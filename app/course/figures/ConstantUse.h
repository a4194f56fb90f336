#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/Experiment.h"

/// A kernel's use of constant memory, and the cost of reading it (PMPP 4e, section 7.3).
namespace haloscope::figures {

inline constexpr std::int64_t kConstantBytes = 64 * 1024;  ///< of `__constant__` variables, on every GPU

/// A `__constant__` array or variable that the kernel uses.
struct ConstantArray {
  std::string name;
  std::int64_t elements = 1;
  std::int64_t bytes = 0;
  std::uint64_t loads = 0;   ///< thread loads in the whole grid
  bool initialised = false;  ///< the source initialises it
  int copyLine = 0;          ///< line of the cudaMemcpyToSymbol call; 0 if none
};

/// The accesses of one source line, in the whole grid.
struct ConstantLine {
  int line = 0;
  std::uint64_t requests = 0;  ///< warp requests
  std::uint64_t passes = 0;    ///< distinct addresses, summed over the requests; these are serialised

  [[nodiscard]] double passesPerRequest() const;
};

/// A filter or coefficients read from global memory instead.
struct GlobalWeights {
  std::string name;
  std::int64_t bytes = 0;
  std::uint64_t loadBytes = 0;     ///< requested by threads, in the whole grid
  std::uint64_t allLoadBytes = 0;  ///< of all global arrays

  /// Share of the bytes loaded from global memory; 0 if none are.
  [[nodiscard]] double share() const;
};

struct ConstantUse {
  std::vector<ConstantArray> arrays;
  std::int64_t bytes = 0;  ///< of all arrays
  std::uint64_t requests = 0, passes = 0;
  std::vector<ConstantLine> lines;       ///< lines that read constant memory, in source order
  std::optional<GlobalWeights> weights;  ///< only if nothing is in constant memory and the header names weights

  /// Share of the 64 KB.
  [[nodiscard]] double share() const { return static_cast<double>(bytes) / kConstantBytes; }
  /// Passes per request: 1 if one broadcast always serves the warp; 0 without requests.
  [[nodiscard]] double passesPerRequest() const;
};

/// Computed from the counts of the whole grid.
[[nodiscard]] ConstantUse constantUse(const experiment::Experiment& experiment);

}  // namespace haloscope::figures
