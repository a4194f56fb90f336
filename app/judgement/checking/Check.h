#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "experiment/Reference.h"
#include "faults/Finding.h"
#include "inputs/ChosenData.h"
#include "verdict/Verdict.h"

namespace haloscope::frontend {
struct Diagnostic;
}

namespace haloscope::checking {

/// The limits of a check: about ten seconds and two gigabytes.
struct CheckLimits {
  std::size_t instructions = 10'000;                  ///< of the kernel, its device functions inlined
  std::uint64_t warpInstructions = 250'000'000;       ///< of the whole launch
  std::int64_t arrayBytes = std::int64_t{384} << 20;  ///< of all arrays; the check keeps several times as much
  double referenceTerms = 2e9;                        ///< elements of all arrays times taps
};

struct CheckOptions {
  unsigned workers = 0;             ///< 0: one per core
  std::uint64_t stepBudget = 0;     ///< warp instructions a block may run; 0: the executor's own
  std::set<int> withoutBarriers{};  ///< lines whose `__syncthreads()` is left out
  CheckLimits limits{};
  simt::WarpOrder order = simt::WarpOrder::SideBySide;
  std::uint64_t orderSeed = 0;  ///< of WarpOrder::Random
  inputs::ChosenData data{};    ///< checked as well, if nothing is found on random data; zeros in it hide mistakes
  std::stop_token stop{};
};

/// The verdict on an attempt at a task of the bug lab.
struct LabVerdict {
  bool solved = false;
  std::string sentence;  ///< what is still wrong, or that nothing is
};

/// What ended the compiler of a text, of which nothing else is known then.
enum class CompilerEnd : std::uint8_t { TooMuchMemory, TooMuchTime, Crash };
/// That of the first diagnostic that is such an end.
[[nodiscard]] std::optional<CompilerEnd> compilerEndOf(const std::vector<frontend::Diagnostic>& diagnostics);

/// The results of all analyses of one kernel at one choice.
struct CheckReport {
  std::string kernel;                               ///< name of the __global__ function
  std::shared_ptr<const Program> program;           ///< what was executed; null if the text could not be lowered
  std::vector<faults::Finding> findings;            ///< in the order of the text, gravest kind first on a line
  verdict::EvidenceList evidence;                   ///< with what the result was compared, and how that ended
  bool onlyAtBorder = false;                        ///< see Diagnosis
  bool roundedToFloat = false;                      ///< see Diagnosis
  double maxError = 0;                              ///< largest relative difference from the reference
  std::vector<experiment::WrongPoint> wrongPoints;  ///< the first that differ from it, or from a named kernel's result
  std::string expectedBy;                    ///< the kernels whose result `wrongPoints` has; empty: it is the reference
  std::optional<CompilerEnd> compilerEnd{};  ///< why it could not be read
  std::string doubt;  ///< why the comparison with a kernel that the user named does not say that it is right: "it …"
  bool meantWrong = false;         ///< its program is to reject its result
  std::set<std::string> alike;     ///< kernels that made the same of the program's own data
  std::set<std::string> takesUp;   ///< kernels whose results it has read in the program: another step of theirs
  std::vector<std::string> notes;  ///< what the check itself assumed or recognised, a sentence each
  std::string watched;             ///< what was executed, and what it was watched for: a sentence
  std::string compared;            ///< with what the result was compared: a sentence, where no note says it
  std::string notChecked;          ///< why the check could not be made: a sentence; then there are no findings
  bool atChosenSizes = true;       ///< false: at smaller ones, as a note says
  std::optional<LabVerdict> lab;   ///< of a task of the bug lab, once its text was changed (see checkInLab)
  double seconds = 0;

  /// The finding's output cells by their names, out[1057].
  [[nodiscard]] std::vector<std::string> outputNames(const faults::Finding& finding) const;
};

/// Runs every check on a kernel: executes the whole grid under all analyses, compares with the double-precision
/// reference where the file says what it computes, follows each fault to the output cells it reaches. A text that
/// cannot be lowered gives one `unsupported` finding. Where a block takes too long at these sizes, but not at smaller
/// ones, those are checked, and a note says so. A guessed reference counts only if the result is close to it.
/// No change that would mend the solution of a task is offered. Throws InputError where the launch itself is
/// impossible, or larger than the limits. Throws Cancelled when asked to stop.
CheckReport check(const KernelFile& file, const Bindings& bindings, const CheckOptions& options = {});
/// The same for what an experiment executed: its text, sizes, barriers and order of warps. What is larger than the
/// limits gives a report that says so in `notChecked`.
CheckReport check(const experiment::Experiment& experiment, const std::stop_token& stop = {});

/// Checks what an experiment executed, whichever block it focuses on.
using Checker = std::function<CheckReport(const experiment::Experiment&, const std::stop_token&)>;

}  // namespace haloscope::checking
