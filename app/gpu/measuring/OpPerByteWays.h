#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "measuring/HardwareReading.h"

namespace haloscope::measuring {

/// One way to determine a kernel's operations per byte, and the numbers behind it.
struct OpPerByteWay {
  enum class Kind : std::uint8_t { Formula, InteriorBlock, WholeGrid, WithStores, Dram, Time };
  Kind kind = Kind::Formula;
  std::string name;  ///< two words
  double value = 0;
  std::vector<std::string> how;  ///< a line each, the numbers first
};

/// All ways that are known: the formula's and the hardware's only where there are such. `reading`, which may be null,
/// is of the same text and tunables.
[[nodiscard]] std::vector<OpPerByteWay> opPerByteWays(const experiment::Experiment& experiment,
                                                      const HardwareReading* reading);

/// Whether an interior block was counted: not where it has a fault, or where no size gives one.
[[nodiscard]] bool hasInteriorBlock(const experiment::Experiment& experiment);

/// Why the formula and what was executed disagree, from the counts alone: in one line, and in full. Empty where they
/// agree.
struct OpPerByteExplanation {
  std::string line, full;
};
[[nodiscard]] OpPerByteExplanation explainOpPerByte(const experiment::Experiment& experiment);

}  // namespace haloscope::measuring
