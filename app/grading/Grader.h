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

/// What to grade, and how.
struct GradeRequest {
  std::filesystem::path folder;          ///< of the hand-ins
  std::filesystem::path results;         ///< where records and pages are kept
  std::string reference;                 ///< FILE.cu[:KERNEL]; empty: none
  std::vector<std::string> arguments{};  ///< further options for each hand-in
  std::vector<std::string> alsoInKey{};  ///< what they refer to: contents of files
  unsigned jobs = 0;                     ///< hand-ins at a time; 0: one per core
  HandInLimits limits{};
  std::filesystem::path executable{};  ///< see HandInTask
  /// Called after each hand-in, from any thread, one call at a time.
  std::function<void(std::size_t done, std::size_t all)> progress{};
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

/// Splits FILE.cu:KERNEL.
struct ReferenceName {
  std::filesystem::path file;
  std::string kernel;  ///< empty: all
};
[[nodiscard]] ReferenceName referenceNamed(const std::string& text);

}  // namespace haloscope::grading
