#pragma once

#include <string>
#include <vector>

#include "grading/Record.h"
#include "judging/CheckedKernel.h"
#include "making/MadeKernel.h"

namespace haloscope::grading {

/// What the check of a hand-in came to.
struct Judged {
  std::vector<judging::CheckedKernel> kernels;  ///< rows of the check; a file without a kernel has one, too
  std::vector<std::string> tooLong{};           ///< programs that were ended after their time, a sentence each
  std::vector<SourceText> texts{};              ///< of the hand-in; names as in the rows
  bool rejected = false;                        ///< a program's host half does not compile
  bool withReference = false;                   ///< it had to be compared with a reference that the teacher named
};

/// The record of a hand-in that was checked: its verdict, its findings with their places, and the picture of the first.
[[nodiscard]] Record recordOf(const Judged& judged);

/// The record of a solution of a task: what its execution shows, then its goals. `text` is the solution.
[[nodiscard]] Record recordOf(const making::MadeKernel& made, const SourceText& text);

}  // namespace haloscope::grading
