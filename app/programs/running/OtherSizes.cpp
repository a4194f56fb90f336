#include "running/OtherSizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "running/OfferedSizes.h"

namespace haloscope::running {

namespace {

constexpr std::int64_t kShorter = 3;

bool isOutOfBounds(const faults::Finding& finding) { return finding.kind == faults::FindingKind::OutOfBounds; }

/// Whether the blocks of a launch cover as many points along an axis without a rest.
bool isCoveredExactly(std::int64_t points, const LaunchConfiguration& launch) {
  const Dim3& grid = launch.grid;
  return std::ranges::any_of(std::array{grid.x, grid.y, grid.z},
                             [&](std::uint32_t blocks) { return blocks > 1 && points % blocks == 0; });
}

/// Whether each number that the kernel was given follows the sizes: one that the launch has as a literal does not.
bool followsSizes(const ProgramLaunch& before, const ProgramLaunch& now, const std::vector<ChangedSize>& sizes) {
  return std::ranges::all_of(before.scalars, [&](const auto& scalar) {
    const auto changed = std::ranges::find_if(
        sizes, [&](const ChangedSize& one) { return std::to_string(one.size.value) == scalar.second; });
    const auto after = now.scalars.find(scalar.first);
    return changed == sizes.end() || (after != now.scalars.end() && after->second != scalar.second);
  });
}

/// Whether the host computes a launch's grid from these sizes: with larger ones it has more blocks.
bool followsInBlocks(const host::HostProgram& program, RunOptions options, const ProgramRun& run, std::size_t launch,
                     std::vector<ChangedSize> sizes) {
  for (ChangedSize& one : sizes) { one.value = 2 * one.size.value; }
  options.arguments = withSizes(options.arguments, sizes);
  options.keepLaunch = launch;
  const ProgramRun larger = running::run(withSizes(program, sizes), options);
  return larger.launches.size() <= launch ||
         larger.launches[launch].configuration.grid.count() > run.launches[launch].configuration.grid.count();
}

}  // namespace

void addFaultsAtOtherSizes(const host::HostProgram& program, const RunOptions& options, ProgramRun& run) {
  const auto faulty = [](const ProgramLaunch& launch) { return std::ranges::any_of(launch.findings, isOutOfBounds); };
  if (run.end != ProgramEnd::Exited || std::ranges::any_of(run.launches, faulty)) { return; }
  // The sizes with which it was executed, where its own are too large.
  const host::HostProgram executed = withSizes(program, run.sizes);
  RunOptions shorter = options;
  // Another look at what came to its end.
  shorter.budget.hostTime = std::min(options.budget.hostTime, options.budget.patience);
  shorter.budget.kernelTime = std::min(options.budget.kernelTime, options.budget.patience);
  shorter.arguments = withSizes(options.arguments, run.sizes);
  std::vector<ChangedSize> sizes;
  for (OfferedSize& size : offeredSizes(executed, shorter.arguments)) {
    const std::int64_t value = size.value;
    const bool divided = std::ranges::any_of(
        run.launches, [&](const ProgramLaunch& launch) { return isCoveredExactly(value, launch.configuration); });
    if (!size.repeats && divided) { sizes.push_back({std::move(size), value - kShorter}); }
  }
  if (sizes.empty()) { return; }
  const RunOptions whole = shorter;
  shorter.arguments = withSizes(shorter.arguments, sizes);
  const ProgramRun other = running::run(withSizes(executed, sizes), shorter);
  std::set<std::pair<std::string, int>> known;  // kernels and lines
  for (std::size_t i = 0; i < std::min(other.launches.size(), run.launches.size()); ++i) {
    const ProgramLaunch& now = other.launches[i];
    ProgramLaunch& before = run.launches[i];
    const bool roundedUp = now.symbol == before.symbol && now.configuration.grid == before.configuration.grid &&
                           now.configuration.block == before.configuration.block;
    if (!roundedUp || !followsSizes(before, now, sizes)) { continue; }
    if (std::ranges::none_of(now.findings, isOutOfBounds) || !followsInBlocks(executed, whole, run, i, sizes)) {
      continue;
    }
    for (faults::Finding finding : now.findings) {
      if (!isOutOfBounds(finding) || !known.emplace(now.symbol, finding.where.line).second) { continue; }
      finding.message += trf(", at {}, where the host rounds the grid up", newValues(sizes));
      before.findings.push_back(std::move(finding));
    }
  }
}

}  // namespace haloscope::running
