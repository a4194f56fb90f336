#include "running/Repetitions.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "running/Conductor.h"
#include "running/OfferedSizes.h"

namespace haloscope::running {

Seen seenOf(const ProgramRun& run) {
  return {.end = run.end, .status = run.status, .output = run.output, .leftOut = run.outputLeftOut};
}

bool Repetitions::isQuick(const ProgramRun& run) {
  constexpr double kMostSeconds = 5;
  constexpr std::uint64_t kMostArrayBytes = std::uint64_t{256} << 20;
  std::uint64_t bytes = 0;
  for (const Allocation& one : run.allocations) { bytes += std::min(one.size, kMostArrayBytes); }
  if (bytes >= kMostArrayBytes) { return false; }
  return run.hostSeconds + run.kernelSeconds <= kMostSeconds;
}

Repetitions::Repetitions(const ProgramRun& run, const host::HostProgram& program, const RunOptions& options, int most)
    : program_(withSizes(program, run.sizes)), options_(options) {
  options_.arguments = withSizes(options.arguments, run.sizes);
  options_.compiled = run.compiled;
  options_.progress = {};
  options_.beforeLaunch = {};
  options_.comparesOwnFunctions = false;
  options_.budget.checkedLaunches = 0;
  // With other results a loop may not end any more.
  constexpr double kTimesAsLong = 10;
  constexpr std::chrono::milliseconds kLeastTime{2000};
  const auto usual = std::chrono::duration<double>(kTimesAsLong * run.hostSeconds);
  options_.budget.hostTime =
      std::min(options_.budget.hostTime, std::max(kLeastTime, std::chrono::ceil<std::chrono::milliseconds>(usual)));
  constexpr double kAllSeconds = 8;
  constexpr int kFewestRuns = 6;
  const double each = std::max(run.hostSeconds + run.kernelSeconds, kAllSeconds / most);
  for (const ProgramLaunch& launch : run.launches) { instructions_ += launch.instructions; }
  left_ = std::clamp(static_cast<int>(kAllSeconds / each), kFewestRuns, most);
}

void Repetitions::change(ChangedKernels kernels) {
  constexpr std::uint64_t kTimesAsMany = 4, kLeast = 100'000;
  options_.budget.warpInstructions = kTimesAsMany * instructions_ + kLeast;
  kernels_ = std::move(kernels);
}

ProgramRun Repetitions::run(Repetition how) {
  --left_;
  how.kernels = kernels_;
  options_.repeated = std::move(how);
  return runAsItIs(program_, options_, false);
}

std::pair<ProgramRun, CopiedBytes> Repetitions::recorded() {
  constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20;
  CopiedBytes copied;
  std::uint64_t bytes = 0, besideBytes = 0;
  const auto keeps = [&](std::size_t more) {
    copied.whole = (bytes += more) <= kMostBytes;
    return copied.whole;
  };
  ProgramRun ran = run({.toHost =
                            [&](std::size_t event, AllocationId from, std::span<std::byte> given) {
                              if (keeps(given.size())) {
                                copied.toHost[{event, from}].assign(given.begin(), given.end());
                              }
                            },
                        .beside =
                            [&](std::size_t event, AllocationId other, std::span<const std::byte> given) {
                              if ((besideBytes += given.size()) <= kMostBytes) {
                                copied.beside[{event, other}].assign(given.begin(), given.end());
                              }
                            },
                        .toDevice =
                            [&](std::span<std::byte> given) {
                              if (keeps(given.size())) { copied.toDevice.emplace(given.begin(), given.end()); }
                            },
                        .gathersArrays = true});
  if (besideBytes > kMostBytes) { copied.beside.clear(); }
  return {std::move(ran), std::move(copied)};
}

}  // namespace haloscope::running
