#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/Experiment.h"

/// What a kernel keeps in constant memory, and what reading it costs (PMPP 4e, section 7.3).
namespace haloscope::figures {

inline constexpr std::int64_t kConstantBytes = 64 * 1024;  ///< of `__constant__` variables, on every GPU

/// A `__constant__` array or variable that the kernel uses.
struct ConstantArray {
  std::string name;
  std::int64_t elements = 1;
  std::int64_t bytes = 0;
  std::uint64_t loads = 0;   ///< by threads, in the whole grid
  bool initialised = false;  ///< the text itself gives its values
  int copyLine = 0;          ///< where the text hands it to cudaMemcpyToSymbol; 0: nowhere
};

/// The accesses that stand on one line of the text, in the whole grid.
struct ConstantLine {
  int line = 0;
  std::uint64_t requests = 0;  ///< of warps
  std::uint64_t passes = 0;    ///< distinct addresses, summed over the requests: they are served one after another

  [[nodiscard]] double passesPerRequest() const;
};

/// A filter, or coefficients, that comes from global memory instead.
struct GlobalWeights {
  std::string name;
  std::int64_t bytes = 0;
  std::uint64_t loadBytes = 0;     ///< that threads ask for, in the whole grid
  std::uint64_t allLoadBytes = 0;  ///< of all global arrays

  /// Of the bytes that are loaded from global memory; 0 if none are.
  [[nodiscard]] double share() const;
};

struct ConstantUse {
  std::vector<ConstantArray> arrays;
  std::int64_t bytes = 0;  ///< of all of them
  std::uint64_t requests = 0, passes = 0;
  std::vector<ConstantLine> lines;       ///< that read constant memory, in the order of the text
  std::optional<GlobalWeights> weights;  ///< only where nothing is constant and the header names weights

  /// Of the 64 KB.
  [[nodiscard]] double share() const { return static_cast<double>(bytes) / kConstantBytes; }
  /// Passes a request: 1 where one broadcast always serves the warp; 0 without requests.
  [[nodiscard]] double passesPerRequest() const;
};

/// From the counts of the whole grid.
[[nodiscard]] ConstantUse constantUse(const experiment::Experiment& experiment);

}  // namespace haloscope::figures
