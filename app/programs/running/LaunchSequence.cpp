#include "running/LaunchSequence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "faults/Finding.h"
#include "language/Text.h"
#include "running/CudaErrors.h"
#include "running/LaunchDescription.h"
#include "running/LaunchExecution.h"
#include "work/Deadline.h"

namespace haloscope::running {

namespace {

/// What a kernel reads was not all computed.
bool isAboutValues(const faults::Finding& one) {
  return one.kind == faults::FindingKind::Uninitialized || one.kind == faults::FindingKind::UnwrittenOutput;
}

/// Of a race in an array that several parameters point into: that they do, and where the host passes it.
void nameSharedArray(faults::Finding& race, const ProgramLaunch& launch, const BoundLaunch& bound) {
  std::vector<std::string> names;
  for (const BoundPointer& pointer : bound.pointers) {
    if (pointer.object == race.object) { names.push_back(pointer.parameter); }
  }
  if (names.size() < 2) { return; }
  const std::string last = std::move(names.back());
  names.pop_back();
  race.message +=
      trf("; {} and {} are one array here (launch at line {})", fmt::join(names, ", "), last, launch.at.line);
}

/// Accesses through a pointer to no memory: one finding for each, which says so.
std::vector<faults::Finding> withoutMemory(std::vector<faults::Finding> findings, const BoundLaunch& bound) {
  std::set<ObjectId> said;
  std::erase_if(findings, [&](faults::Finding& one) {
    const auto pointer = std::ranges::find(bound.pointers, one.object, &BoundPointer::object);
    const bool empty = pointer != bound.pointers.end() && bound.launch.arrays[one.object].bytes.empty();
    if (!empty || one.kind != faults::FindingKind::OutOfBounds) { return false; }
    const char* const what = pointer->isNull
                                 ? (pointer->isMoved ? tr("a null pointer that was moved") : tr("a null pointer"))
                             : pointer->place ? tr("a pointer to memory that was freed")
                                              : tr("an address of the host's memory");
    one.message = trf("{} is {}, and the kernel accesses it{}", pointer->parameter, what,
                      one.illegalAddress ? tr(faults::kEndsProgram) : "");
    return !said.insert(one.object).second;
  });
  return findings;
}

}  // namespace

void LaunchSequence::execute(ProgramLaunch& launch, BoundLaunch& bound, Excess& excess) {
  const auto exceed = [&] { excess = leavesOut(excess) ? excess : Excess::Kernels; };
  int& times = checkedTimes_[shapeOf(launch)];
  const work::Deadline deadline(std::max(most_ - executing_, decltype(executing_){0}), options_.stop);
  LaunchBudget budget{.instructions = instructionsLeft_,
                      .checked = 0,
                      .bytes = options_.budget.besideBytes / 2,
                      .wholeOnly = survey_,
                      .workers = racing_.contains(launch.symbol) ? 1 : options_.workers,
                      .stop = deadline.token()};
  if (times < options_.budget.checkedLaunches) { budget.checked = options_.budget.checkedInstructions; }
  ++times;
  // What the arrays hold is then not what the program computes.
  const bool incomplete = leavesOut(excess);
  const bool surveyed = survey_ && incomplete;
  if (surveyed ? budget.checked == 0 : instructionsLeft_ == 0) {
    launch.problem = tr("The program's launches took the whole budget: this one was not executed.");
    exceed();
    ++skipped_;
    return;
  }
  skipped_ = 0;
  if (surveyed) { budget.instructions = budget.checked; }
  const auto began = std::chrono::steady_clock::now();
  LaunchOutcome outcome = running::execute(bound, budget);
  const auto took = std::chrono::steady_clock::now() - began;
  executing_ += took;
  if (!outcome.problem.empty() && deadline.passed()) {
    outcome.problem = trf("The launch was stopped after {:.1f} s.", std::chrono::duration<double>(took).count());
    std::erase_if(outcome.findings, isAboutValues);
    exceed();
  }
  instructionsLeft_ -= std::min(instructionsLeft_, outcome.instructions);
  if (incomplete) { std::erase_if(outcome.findings, isAboutValues); }
  if (outcome.blocks < launch.configuration.grid.count()) { exceed(); }
  if (outcome.tooLarge && budget.checked > 0 && excess == Excess::None) { excess = Excess::CheckMemory; }
  launch.instructions = outcome.instructions;
  launch.executed = true;
  launch.loaded = std::move(outcome.loaded);
  launch.checked = outcome.checked;
  launch.checkedBlocks = outcome.checkedBlocks;
  launch.blocks = outcome.blocks;
  launch.findings = withoutMemory(std::move(outcome.findings), bound);
  for (faults::Finding& one : launch.findings) {
    if (one.kind != faults::FindingKind::RaceGlobal) { continue; }
    racing_.insert(launch.symbol);
    nameSharedArray(one, launch, bound);
  }
  launch.problem = std::move(outcome.problem);
  launch.flops = outcome.flops;
  launch.globalBytes = outcome.globalBytes;
  launch.textureRequests = outcome.textureRequests;
}

bool LaunchSequence::isNew(const ProgramLaunch& launch) const { return !checkedTimes_.contains(shapeOf(launch)); }

bool isWhole(const ProgramLaunch& launch) {
  return launch.executed && launch.problem.empty() && launch.blocks == launch.configuration.grid.count();
}

int stickyErrorOf(const ProgramLaunch& launch) {
  const auto has = [&](faults::FindingKind kind) {
    return std::ranges::any_of(launch.findings, [kind](const faults::Finding& one) { return one.kind == kind; });
  };
  if (has(faults::FindingKind::FailedAssertion)) { return kAssert; }
  if (has(faults::FindingKind::Trap)) { return kLaunchFailure; }
  if (!launch.problem.empty()) { return kLaunchTimeout; }
  if (has(faults::FindingKind::Misaligned)) { return kMisalignedAddress; }
  return std::ranges::any_of(launch.findings, &faults::Finding::illegalAddress) ? kIllegalAddress : kSuccess;
}

}  // namespace haloscope::running
