#include "judging/ProgramRepair.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checking/RepairCandidates.h"
#include "checking/TextFixes.h"
#include "checking/WrongResult.h"
#include "language/Text.h"
#include "machine/Execution.h"
#include "running/KernelChecks.h"
#include "running/KernelTexts.h"
#include "running/OtherResults.h"
#include "running/OwnCheck.h"
#include "running/Repetitions.h"
#include "simt/Executor.h"
#include "work/Deadline.h"

namespace haloscope::judging {

namespace {

using checking::RepairCandidate;
using running::ChangedKernels;
using running::ProgramLaunch;
using running::ProgramRun;

using running::isRejection;

bool isRejected(const ProgramLaunch& launch) { return std::ranges::any_of(launch.findings, isRejection); }

/// The comparison with an array of the program's own from which a result differs; null: there is none.
const running::OwnCheck* comparisonIn(const ProgramRun& run) {
  const auto found =
      std::ranges::find_if(run.ownChecks, [](const running::OwnCheck& one) { return !one.passed && one.accepted; });
  return found == run.ownChecks.end() ? nullptr : &*found;
}

bool isUnexplained(const ProgramRun& run) {
  const bool rejected = std::ranges::any_of(run.launches, isRejected);
  return run.isWhole() && run.sizes.empty() && !leavesOut(run.excess) && running::Repetitions::isQuick(run) &&
         (endsWithFailure(run) || rejected || comparisonIn(run) != nullptr) &&
         std::ranges::all_of(
             run.launches,
             [](const ProgramLaunch& launch) { return std::ranges::all_of(launch.findings, isRejection); }) &&
         (rejected || !explainsOwnCheck(run)) &&
         std::ranges::all_of(run.events, [](const running::ProgramEvent& one) { return one.error == 0; });
}

/// The indices of the last launches of the kernels that may be wrong, the last first.
std::vector<std::size_t> suspects(const ProgramRun& run) {
  constexpr std::size_t kMost = 4;
  std::set<std::string> known;
  const bool rejected = std::ranges::any_of(run.launches, isRejected);
  const running::OwnCheck* const comparison = comparisonIn(run);
  const auto mayBeWrong = [&](const ProgramLaunch& launch) {
    return launch.program != nullptr && (!rejected || isRejected(launch)) &&
           (comparison == nullptr || comparison->kernels.contains(launch.symbol));
  };
  for (const ProgramLaunch& launch : run.launches) {
    if (!launch.ownFunction.empty()) { known.insert(launch.symbol); }
  }
  std::vector<std::size_t> all;
  for (std::size_t i = run.launches.size(); i-- > 0 && all.size() < kMost;) {
    if (mayBeWrong(run.launches[i]) && known.insert(run.launches[i].symbol).second) { all.push_back(i); }
  }
  return all;
}

/// By instruction: whether it is of a statement that stores to global memory. Most mistakes are there.
std::vector<bool> storingStatements(const Program& program) {
  std::vector<bool> storing(program.code.size());
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= program.code.size(); ++at) {
    if (at < program.code.size() && program.code[at].op != Opcode::Statement) { continue; }
    const auto stores = [&](const Instruction& one) {
      return writesMemory(one.op) && one.aux != kNone && program.objects[one.aux].space == MemorySpace::Global;
    };
    const auto first = program.code.begin();
    const bool any =
        std::any_of(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(at), stores);
    std::fill(storing.begin() + static_cast<std::ptrdiff_t>(begin), storing.begin() + static_cast<std::ptrdiff_t>(at),
              any);
    begin = at;
  }
  return storing;
}

/// What a kernel makes of a launch within so many warp instructions; none if it leaves its arrays or does not end.
std::optional<std::vector<ArrayData>> resultOf(const Program& kernel, Launch launch, std::uint64_t budget,
                                               const std::stop_token& stop) {
  simt::ExecuteOptions options;
  options.launchBudget = budget;  // a change may make a loop endless
  options.stop = stop;
  const simt::ExecuteResult result = machine::execute(kernel, launch, options);
  if (result.outcome != simt::Outcome::Finished || result.outOfBounds > 0) { return std::nullopt; }
  return std::move(launch.arrays);
}

/// To tell changes that make something else of a launch.
std::size_t hashOf(const std::vector<ArrayData>& arrays) {
  std::string all;
  for (const ArrayData& array : arrays) {
    const std::string_view bytes(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    all += std::to_string(std::hash<std::string_view>()(bytes)) + ' ';
  }
  return std::hash<std::string>()(all);
}

class ProgramRepair {
 public:
  ProgramRepair(ExecutedProgram& program, const std::stop_token& stop)
      : program_(program),
        stop_(stop),
        options_(plainly(program.options, stop)),
        comparison_(comparisonIn(program.run)),
        repetitions_(program.run, program.files.program, options_, kMostTried) {}

  void run() {
    for (const std::size_t launch : suspects(program_.run)) {
      if (tried(launch)) { return; }
    }
  }

 private:
  static constexpr int kMostTried = 320;
  /// Each is a number of runs.
  static constexpr int kMostAsked = 3;

  static running::RunOptions plainly(running::RunOptions options, const std::stop_token& stop) {
    options.stop = stop;
    options.progress = {};
    options.beforeLaunch = {};
    options.comparesOwnFunctions = false;
    return options;
  }

  /// Whether to stop: a change was reported, or nothing more may be tried.
  bool tried(std::size_t index) {
    running::RunOptions keeping = options_;
    keeping.keepLaunch = index;
    keeping.compiled = program_.run.compiled;
    const ProgramRun until = running::run(program_.files.program, keeping);
    if (!until.kept) { return false; }
    ProgramLaunch& launch = program_.run.launches[index];
    const Program& kernel = *launch.program;
    const auto result = [&, budget = 4 * launch.instructions + 100'000](const Program& changed) {
      return resultOf(changed, until.kept->launch, budget, stop_);
    };
    std::vector<RepairCandidate> candidates = checking::repairCandidates(kernel, until.kept->launch);
    std::ranges::stable_partition(candidates, [storing = storingStatements(kernel)](const RepairCandidate& one) {
      return storing[one.changes.front().instruction];
    });
    const auto own = result(kernel);
    if (!own) { return false; }
    const std::optional<std::size_t> output = outputOf(launch, *own);
    std::set<std::size_t> results{hashOf(*own)};
    for (const RepairCandidate& candidate : candidates) {
      if (repetitions_.isSpent() || asked_ >= kMostAsked || stop_.stop_requested()) { return true; }
      const auto changed = std::make_shared<const Program>(candidate.appliedTo(kernel));
      const auto made = result(*changed);
      if (!made || !results.insert(hashOf(*made)).second || (output && !isExpected((*made)[*output]))) { continue; }
      const ChangedKernels kernels{{launch.symbol, changed}};
      if (!isRight(kernels) || !isAccepted(launch.symbol, kernels)) { continue; }
      const auto isSame = [&](const Program& other) {
        const auto its = result(other);
        return its && hashOf(*its) == hashOf(*made);
      };
      isRejected(launch) ? mend(launch, candidate, isSame) : note(launch, candidate);
      return true;
    }
    return false;
  }

  /// The array of the kernel's only launch that comes to the host as it is: what it should be need not be asked of the
  /// program. None if it is not that simple.
  [[nodiscard]] std::optional<std::size_t> outputOf(const ProgramLaunch& launch,
                                                    const std::vector<ArrayData>& arrays) const {
    if (comparison_ == nullptr ||
        std::ranges::count(program_.run.launches, launch.symbol, &ProgramLaunch::symbol) > 1) {
      return std::nullopt;
    }
    const auto output = std::ranges::find(arrays, comparison_->accepted->found.bytes, &ArrayData::bytes);
    return output == arrays.end() ? std::nullopt : std::optional(static_cast<std::size_t>(output - arrays.begin()));
  }
  [[nodiscard]] bool isExpected(const ArrayData& array) const {
    const ArrayData& expected = comparison_->accepted->array;
    const ArrayData own = running::arrayOf(expected.element, array.bytes);
    return !running::holdsNan(own) && running::differenceOf(own, expected).differing == 0;
  }

  /// Whether the program ends with success then, or as it does anyway, and the result is what it is compared with, if
  /// that is an array of the host. What the program says when it rejects a result must be gone.
  bool isRight(const ChangedKernels& kernels) {
    repetitions_.change(kernels);
    bool equal = comparison_ == nullptr;
    const ProgramRun again = repetitions_.run(
        {.toHost = [&](std::size_t event, running::AllocationId from, std::span<const std::byte> given) {
          if (comparison_ == nullptr || !comparison_->accepted) { return; }
          const running::AcceptedResult& other = *comparison_->accepted;
          if (event != other.event || from != other.from || given.size() != other.array.bytes.size()) { return; }
          equal = isExpected(running::arrayOf(other.array.element, given));
        }});
    const bool silent = comparison_ == nullptr || !comparison_->fails() || comparison_->line.empty() ||
                        again.output.find(comparison_->line) == std::string::npos;
    return again.isWhole() && again.end == running::ProgramEnd::Exited && again.status == 0 && equal && silent;
  }

  /// Whether other results are rejected then; the host's array says it all.
  bool isAccepted(const std::string& symbol, const ChangedKernels& kernels) {
    if (comparison_ != nullptr) { return true; }
    ++asked_;
    const auto checks = running::ownChecksWith(kernels, program_.run, program_.files.program, options_);
    return std::ranges::any_of(
        checks, [&](const running::OwnCheck& one) { return one.passed && one.ends && one.kernels.contains(symbol); });
  }

  /// The program rejects the result, which is a finding already: now it has its place, and a fix.
  void mend(ProgramLaunch& launch, const RepairCandidate& candidate,
            const std::function<bool(const Program&)>& isSame) {
    faults::Finding& finding = *std::ranges::find_if(launch.findings, isRejection);
    finding.where = candidate.where;
    finding.explained = true;
    finding.message =
        trf("the program's own comparison rejects the result of {} ({}), and accepts it with a small change of the "
            "kernel; if the kernel is right, look at what the host passes to it and compares with",
            launch.kernel, finding.shownBy.front().with.front());
    finding.remedy = trf("{} the program accepts the result", candidate.words);
    finding.fix = fixOf(launch, candidate, isSame);
  }

  void note(const ProgramLaunch& launch, const RepairCandidate& candidate) {
    program_.run.tried = {
        {.file = launch.file, .line = candidate.where.line},
        comparison_ != nullptr
            ? trf("Tried: {} the result of {} equals what the program compares it with.", candidate.words,
                  launch.kernel)
            : trf("Tried: {} the program ends with status 0, not {}. Whether the kernel is wrong, or the program is to "
                  "end like this, is not known.",
                  candidate.words, program_.run.status)};
  }

  /// The candidate as a change of the text, with which the kernel makes the same of its launch.
  std::vector<faults::TextEdit> fixOf(const ProgramLaunch& launch, const RepairCandidate& candidate,
                                      const std::function<bool(const Program&)>& isSame) {
    const auto& files = program_.files.program.files;
    const auto file = std::ranges::find(files, launch.file, &host::HostProgram::File::name);
    if (file == files.end()) { return {}; }
    for (std::vector<faults::TextEdit>& edits : candidate.editsOf(file->text, *launch.program)) {
      host::HostProgram changed = program_.files.program;
      const auto at = static_cast<std::size_t>(file - files.begin());
      changed.files[at].text = checking::withEdits(file->text, edits);
      running::KernelTexts texts(changed);
      const auto& kernel = texts.find(launch.symbol, static_cast<std::uint32_t>(at));
      if (kernel.program && isSame(*kernel.program) && isRight({{launch.symbol, kernel.program}})) {
        return std::move(edits);
      }
    }
    return {};
  }

  ExecutedProgram& program_;
  const std::stop_token stop_;
  const running::RunOptions options_;
  const running::OwnCheck* comparison_ = nullptr;  ///< of the run
  running::Repetitions repetitions_;
  int asked_ = 0;
};

}  // namespace

void addProgramRepair(ExecutedProgram& program, const std::stop_token& stop) {
  constexpr std::chrono::seconds kLongestRepair{5};
  if (!program.options.hostEnds && isUnexplained(program.run)) {
    const work::Deadline deadline(kLongestRepair, stop);
    ProgramRepair(program, deadline.token()).run();
  }
  running::settleOwnChecks(program.run);
}

}  // namespace haloscope::judging
