#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grading/Grader.h"

namespace haloscope::grading {

/// A kind of finding, and who has it.
struct KindTally {
  std::string kind, title;          ///< as in Mark
  std::vector<std::size_t> rows{};  ///< of the grading, ascending, each once
};

/// The kinds of findings over all hand-ins, that of most hand-ins first.
[[nodiscard]] std::vector<KindTally> tallyOf(const Grading& grading);

/// For a terminal: how many hand-ins have each kind of finding, a line each. Empty if there is none.
[[nodiscard]] std::string toTallyTable(const Grading& grading);

}  // namespace haloscope::grading
