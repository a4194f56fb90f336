#include "judging/ProgramRepair.h"

#include <algorithm>
#include <cstddef>
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
#include "running/KernelChecks.h"
#include "running/KernelTexts.h"
#include "running/OtherResults.h"
#include "running/OwnCheck.h"
#include "running/Repetitions.h"
#include "simt/Executor.h"

namespace haloscope::judging {

namespace {

using checking::RepairCandidate;
using running::ChangedKernels;
using running::ProgramLaunch;
using running::ProgramRun;

/// That its program rejects a result, and not where the kernel is wrong.
bool isRejection(const faults::Finding& finding) {
  return checking::isWrongResult(finding) && !finding.explained && finding.shownBy.size() == 1 &&
         finding.shownBy.front().basis == verdict::Basis::OwnComparison;
}

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

/// What a kernel makes of a launch, to tell changes that make something else of it; none if it leaves its arrays or
/// does not end.
std::optional<std::size_t> resultOf(const Program& kernel, Launch launch, const std::stop_token& stop) {
  simt::ExecuteOptions options;
  options.instructionBudget = 1'000'000;  // of a block: a change may make a loop endless
  options.stop = stop;
  const simt::ExecuteResult result = simt::execute(kernel, launch, {}, options);
  if (result.outcome != simt::Outcome::Finished || result.outOfBounds > 0) { return std::nullopt; }
  std::string all;
  for (const ArrayData& array : launch.arrays) {
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

  static running::RunOptions plainly(running::RunOptions options, const std::stop_token& stop) {
    options.stop = stop;
    options.progress = {};
    options.beforeLaunch = {};
    options.comparesOwnFunctions = false;
    return options;
  }

  /// Whether a change of its kernel is accepted, and is told.
  bool tried(std::size_t index) {
    running::RunOptions keeping = options_;
    keeping.keepLaunch = index;
    keeping.compiled = program_.run.compiled;
    const ProgramRun until = running::run(program_.files.program, keeping);
    if (!until.kept) { return false; }
    ProgramLaunch& launch = program_.run.launches[index];
    const Program& kernel = *launch.program;
    std::vector<RepairCandidate> candidates = checking::repairCandidates(kernel, until.kept->launch);
    std::ranges::stable_partition(candidates, [storing = storingStatements(kernel)](const RepairCandidate& one) {
      return storing[one.changes.front().instruction];
    });
    std::set<std::optional<std::size_t>> results{std::nullopt, resultOf(kernel, until.kept->launch, stop_)};
    for (const RepairCandidate& candidate : candidates) {
      if (repetitions_.isSpent() || stop_.stop_requested()) { return true; }
      const auto changed = std::make_shared<const Program>(candidate.appliedTo(kernel));
      if (!results.insert(resultOf(*changed, until.kept->launch, stop_)).second) { continue; }
      const ChangedKernels kernels{{launch.symbol, changed}};
      if (!mayBeAccepted(kernels) || !isAccepted(launch.symbol, kernels)) { continue; }
      tell(launch, candidate);
      return true;
    }
    return false;
  }

  /// Whether the result is then what the program compares it with; or else whether the program ends with success, and
  /// one that does so anyway prints something else.
  bool mayBeAccepted(const ChangedKernels& kernels) {
    repetitions_.change(kernels);
    if (comparison_ != nullptr) { return equalsTheOther(); }
    const ProgramRun again = repetitions_.run({});
    return again.isWhole() && again.end == running::ProgramEnd::Exited && again.status == 0 &&
           (program_.run.status != 0 || again.output != program_.run.output);
  }

  bool equalsTheOther() {
    const running::AcceptedResult& other = *comparison_->accepted;
    bool equal = false;
    const ProgramRun again = repetitions_.run(
        {.toHost = [&](std::size_t event, running::AllocationId from, std::span<const std::byte> given) {
          if (event != other.event || from != other.from || given.size() != other.array.bytes.size()) { return; }
          const ArrayData own = running::arrayOf(other.array.element, given);
          equal = !running::holdsNan(own) && running::differenceOf(own, other.array).differing == 0;
        }});
    return again.isWhole() && equal;
  }

  bool isAccepted(const std::string& symbol, const ChangedKernels& kernels) {
    if (comparison_ != nullptr) { return true; }
    const auto checks = running::ownChecksWith(kernels, program_.run, program_.files.program, options_);
    return std::ranges::any_of(checks, [&](const running::OwnCheck& one) {
      return one.passed && (one.ends || program_.run.status == 0) && one.kernels.contains(symbol);
    });
  }

  void tell(ProgramLaunch& launch, const RepairCandidate& candidate) {
    faults::Finding finding;
    finding.kind = faults::FindingKind::WrongResult;
    finding.where = candidate.where;
    finding.explained = true;
    finding.shownBy = {{verdict::Basis::OwnComparison, verdict::Outcome::Differs, {}}};
    const auto rejection = std::ranges::find_if(launch.findings, isRejection);
    if (rejection != launch.findings.end()) {
      finding.shownBy = rejection->shownBy;
      finding.message =
          trf("the program's own comparison rejects the result of {} ({}), and accepts it with a small "
              "change of the kernel",
              launch.kernel, rejection->shownBy.front().with.front());
      launch.findings.erase(rejection);
    } else if (comparison_ != nullptr) {
      finding.shownBy.front().with = {textOf(*comparison_)};
      finding.message =
          trf("the program compares the result of {} with one of the host's arrays ({}): {}; with a small "
              "change of the kernel it is the same",
              launch.kernel, textOf(*comparison_), textOf(*comparison_->how));
      launch.unlike.clear();
    } else {
      finding.message =
          trf("the program rejects the result of {}: it ends with status {}, with a small change of the kernel it ends "
              "with 0, and with another status again where elements of that result are exchanged",
              launch.kernel, program_.run.status);
    }
    finding.remedy = candidate.message;
    finding.fix = fixOf(launch, candidate);
    launch.findings.push_back(std::move(finding));
    if (comparison_ != nullptr && !comparison_->fails()) {
      const auto index = comparison_ - program_.run.ownChecks.data();
      comparison_ = nullptr;
      program_.run.ownChecks.erase(program_.run.ownChecks.begin() + index);
    }
  }

  /// The candidate as a change of the text, with which the program ends with success, too.
  std::vector<faults::TextEdit> fixOf(const ProgramLaunch& launch, const RepairCandidate& candidate) {
    const auto& files = program_.files.program.files;
    const auto file = std::ranges::find(files, launch.file, &host::HostProgram::File::name);
    if (file == files.end()) { return {}; }
    for (std::vector<faults::TextEdit>& edits : candidate.editsOf(file->text, *launch.program)) {
      host::HostProgram changed = program_.files.program;
      const auto at = static_cast<std::size_t>(file - files.begin());
      changed.files[at].text = checking::withEdits(file->text, edits);
      running::KernelTexts texts(changed);
      const auto& kernel = texts.find(launch.symbol, static_cast<std::uint32_t>(at));
      if (kernel.program && mayBeAccepted({{launch.symbol, kernel.program}})) { return std::move(edits); }
    }
    return {};
  }

  ExecutedProgram& program_;
  const std::stop_token stop_;
  running::RunOptions options_;
  const running::OwnCheck* comparison_ = nullptr;  ///< of the run
  running::Repetitions repetitions_;
};

}  // namespace

void addProgramRepair(ExecutedProgram& program, const std::stop_token& stop) {
  if (!program.options.hostEnds && isUnexplained(program.run)) { ProgramRepair(program, stop).run(); }
}

}  // namespace haloscope::judging
