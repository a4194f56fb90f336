#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "worksheet/BlockPicture.h"

/// What one thread executed, statement by statement, as rows of a table.
namespace haloscope::worksheet {

/// A value that a statement gave to something.
struct TraceResult {
  CellKey key;
  std::string name, place;  ///< "inCurr_s" and "[1][2]"; of a variable no place
  std::string value;
  bool blank = false;  ///< `place` and `value` are to be filled in
};

struct TraceRow {
  std::size_t step = 0;  ///< counted from 1
  int line = 0;
  std::string statement;
  std::vector<std::string> reads{};  ///< "in[12][13][14] = 7"
  std::vector<TraceResult> results{};
  std::optional<bool> condition{};  ///< of a condition: its value
  bool conditionBlank = false;
  bool barrier = false;
  std::optional<std::string> given{};  ///< after steps that were left out: the variables' values before this one
};

struct ThreadTrace {
  std::vector<TraceRow> rows{};
  std::size_t leftOut = 0;         ///< steps between the rows with and before `given`
  std::size_t leftOutAtEnd = 0;    ///< after the last row
  std::vector<CellKey> printed{};  ///< places whose values can be read in the blank version
  std::vector<CellKey> hidden{};   ///< places whose values are to be filled in
};

/// The thread from the first step on, with blanks. Not more than two dozen rows: where it executes more, those in the
/// middle are left out, and those that end with its first output are kept.
[[nodiscard]] ThreadTrace threadTrace(const experiment::Experiment& experiment, std::uint32_t thread);

}  // namespace haloscope::worksheet
