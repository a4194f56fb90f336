#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "grading/HandInProcess.h"
#include "grading/HandIns.h"
#include "grading/Record.h"

namespace haloscope::grading {

/// How far a grading has come.
struct GradeStage {
  std::size_t judged = 0;  ///< in processes, by this grading
  std::size_t toJudge = 0;
  std::size_t handIns = 0;  ///< all of them: the others were taken over, or cannot be judged

  [[nodiscard]] std::size_t done() const { return handIns - toJudge + judged; }
};

/// The time that is left, from the seconds that judging took so far: what was taken over says nothing about it.
[[nodiscard]] double secondsLeft(const GradeStage& stage, double secondsSoFar);

/// What to grade, and how.
struct GradeRequest {
  std::filesystem::path folder;          ///< of the hand-ins
  std::filesystem::path results;         ///< where records and pages are kept
  std::string reference;                 ///< FILE.cu[:KERNEL]; empty: none
  std::vector<std::string> arguments{};  ///< further options for each hand-in
  std::vector<std::string> alsoInKey{};  ///< what they refer to: contents of files
  unsigned jobs = 0;                     ///< hand-ins at a time; 0: one per core
  HandInLimits limits{};
  std::filesystem::path executable{};       ///< see HandInTask
  std::filesystem::path compilerHeaders{};  ///< see host::SystemHeaders
  /// Called before the first and after each hand-in that is judged, from any thread, one call at a time.
  std::function<void(const GradeStage&)> progress{};
};

/// A row of the result.
struct GradedHandIn {
  HandIn handIn;
  Record record{};
  std::string page{};      ///< file name of the student's page, unique among all
  bool takenOver = false;  ///< from an earlier grading
};

struct Grading {
  std::vector<GradedHandIn> rows;    ///< in the order of the hand-ins
  std::string reference;             ///< its file name, with the kernel; empty: none
  std::string task{};                ///< title of the one that all hand-ins were written for; empty: none
  std::vector<std::string> remarks;  ///< about the grading as a whole
  std::size_t takenOver = 0;
  bool interrupted = false;  ///< then only the rows so far
};

/// Grades all hand-ins of a folder. What was found about one is kept among the results as soon as it is known, unless
/// it may be the machine's doing; the next grading takes it over if neither its texts, the reference, the options nor
/// this program have changed. Throws InputError if the folder has no hand-ins, the reference cannot be used, or the
/// results cannot be written.
[[nodiscard]] Grading grade(const GradeRequest& request, const std::stop_token& stop);

/// Where results are kept if nothing else is said: "hand-ins.graded" beside "hand-ins".
[[nodiscard]] std::filesystem::path resultsBeside(const std::filesystem::path& folder);

}  // namespace haloscope::grading
