#include "checking/Repairs.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "checking/RepairCandidates.h"
#include "checking/TextFixes.h"
#include "experiment/Experiment.h"
#include "experiment/Reference.h"
#include "faults/FaultChecks.h"
#include "language/Text.h"
#include "simt/Executor.h"

namespace haloscope::checking {
namespace {

constexpr std::uint64_t kThreadsTried = 8'000'000;  ///< over all changes
constexpr std::size_t kMostChanges = 400;
constexpr std::uint64_t kRepairBudget =
    1'000'000;  ///< warp instructions a block may run: a change may make a loop endless

}  // namespace

bool computesTheReference(const KernelFile& file, const Bindings& bindings, const Program& program,
                          const Launch& before, const std::stop_token& stop) {
  Launch launch = before;
  simt::ExecuteOptions options;
  options.instructionBudget = kRepairBudget;
  options.stop = stop;
  const simt::ExecuteResult result = simt::execute(program, launch, {}, options);
  return result.outcome == simt::Outcome::Finished && result.outOfBounds == 0 &&
         experiment::compareWithReference(file, bindings, program, before.arrays, launch.arrays).pass();
}

namespace {

/// A result may be right by the order of the blocks, or with the next row's elements.
bool isFree(const Program& program, const Launch& before, const std::stop_token& stop) {
  Launch launch = before;
  faults::FaultOptions options;
  options.execute.instructionBudget = kRepairBudget;
  options.execute.stop = stop;
  const auto isGrave = [](const faults::Finding& one) {
    return faults::rowOf(one.kind).severity == faults::Severity::Fault;
  };
  return std::ranges::none_of(faults::findFaults(program, launch, options).findings, isGrave);
}

/// The candidate as a change of the text.
std::vector<faults::TextEdit> fixOf(const RepairCandidate& candidate, const KernelFile& file, const Bindings& bindings,
                                    const Program& program, const Launch& before, const std::stop_token& stop) {
  for (std::vector<faults::TextEdit>& edits : candidate.editsOf(file.text, program)) {
    KernelFile changed = file;
    changed.text = withEdits(file.text, edits);
    try {
      const Program compiled = experiment::compile(changed, bindings);
      if (computesTheReference(changed, bindings, compiled, before, stop)) { return std::move(edits); }
    } catch (const UserError&) {  // then this place is not meant
    }
  }
  return {};
}

}  // namespace

std::optional<Repair> findRepair(const KernelFile& file, const Bindings& bindings, const Program& program,
                                 const Launch& before, const std::stop_token& stop) {
  if (file.isForTask()) { return std::nullopt; }
  const std::uint64_t threads = before.configuration.grid.count() * before.configuration.threadsPerBlock();
  std::vector<RepairCandidate> candidates = repairCandidates(program, before);
  const auto most = static_cast<std::size_t>(kThreadsTried / std::max<std::uint64_t>(threads, 1));
  candidates.resize(std::min({candidates.size(), kMostChanges, most}));
  for (const RepairCandidate& candidate : candidates) {
    if (stop.stop_requested()) { return std::nullopt; }
    const Program changed = candidate.appliedTo(program);
    if (computesTheReference(file, bindings, changed, before, stop) && isFree(changed, before, stop)) {
      return Repair{trf("{} the result is right", candidate.words), candidate.where,
                    fixOf(candidate, file, bindings, program, before, stop)};
    }
  }
  return std::nullopt;
}

}  // namespace haloscope::checking
