#include "opening/LaunchCandidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "language/Text.h"
#include "opening/ArrayShapes.h"
#include "opening/ParameterRoles.h"

namespace haloscope::opening {

namespace {

/// The share of another launch's coverage that an interior without its border has at least, even on a small 3D grid.
constexpr double kCoverage = 0.6;

/// A kernel that loops over planes changes at least this many times the points of a plane.
constexpr double kDeeper = 1.5;

/// Warp instructions that all trials may take, and what one takes besides. No clock: what is proposed must not depend
/// on what else the machine does.
constexpr std::uint64_t kMostInstructions = 40'000'000, kForEachTrial = 100'000;

/// The longest edge of a cubic block.
constexpr std::int64_t kMaxCubeEdge = 10;

struct Candidate {
  std::array<std::string, 3> block{"1", "1", "1"};
  std::array<std::string, 3> step{"1", "1", "1"};
  int rank = 1;

  bool operator==(const Candidate&) const = default;
};

/// Edges of blocks and tiles that the text suggests, as expressions if they are tunables.
std::vector<std::string> edges(const LaunchDraft& draft) {
  std::vector<std::string> found;
  std::set<std::int64_t> values;
  const auto add = [&](const std::string& edge) {
    try {
      const std::int64_t n = draft.value(edge);
      if (n >= 1 && n <= 1024 && values.insert(n).second) { found.push_back(edge); }
    } catch (const InputError&) { return; }
  };
  for (const Tunable& tunable : draft.file.tunables) {
    if (!isRadius(tunable.name) && !isFilterWidth(tunable.name) && !axisOf(tunable.name)) { add(tunable.name); }
  }
  for (const MissingValue& missing : draft.kernel.missing) {
    if (missing.type == "int" && missing.value.starts_with("(")) { add(missing.value); }
  }
  for (const MemoryObject& object : draft.program.objects) {
    if (object.space != MemorySpace::Shared) { continue; }
    for (const std::int64_t extent : object.extents) {
      add(std::to_string(extent));
      if (!draft.strides[0]) { add(std::to_string(extent - draft.filterWidth() + 1)); }
    }
  }
  for (const auto& [name, number] : draft.constants) {
    const bool size = axisOf(name).has_value() || isRadius(name) || isFilterWidth(name);
    if (!size && number > 1 && number <= 1024 && found.size() < 6) { add(std::to_string(number)); }
  }
  const int axes = draft.facts.axes[2] ? 3 : (draft.facts.axes[1] ? 2 : 1);
  const bool cubeFits = std::ranges::any_of(values, [](std::int64_t n) { return n <= kMaxCubeEdge; });
  if (found.empty() || (axes == 3 && !cubeFits)) { add(axes == 3 ? "8" : (axes == 2 ? "16" : "128")); }
  return found;
}

/// The expression for an edge of this length: a name, if the text suggests one.
std::string stepOf(const LaunchDraft& draft, std::int64_t stride, const std::vector<std::string>& all) {
  const auto named = std::ranges::find_if(all, [&](const std::string& edge) { return draft.value(edge) == stride; });
  return named == all.end() ? std::to_string(stride) : *named;
}

/// Blocks and the steps between them, from each pair of edges.
std::vector<Candidate> candidatesOf(const LaunchDraft& draft) {
  const int axes = draft.facts.axes[2] ? 3 : (draft.facts.axes[1] ? 2 : 1);
  const std::vector<std::string> all = edges(draft);
  const std::optional<Dim3> given = draft.clues.givenBlock();
  std::vector<Candidate> candidates;
  const auto add = [&](int rank, int threadAxes, const std::string& block, const std::string& step, bool apart) {
    Candidate one{.rank = rank};
    for (int axis = 0; axis < axes; ++axis) {
      const auto at = static_cast<std::size_t>(axis);
      const bool threads = draft.facts.threads[at];
      if (given) {
        one.block[at] = stepOf(draft, std::array{given->x, given->y, given->z}[at], all);
      } else if (axis < threadAxes && threads) {
        one.block[at] = block;
      }
      one.step[at] = draft.strides[at]   ? stepOf(draft, *draft.strides[at], all)
                     : given             ? one.block[at]  // a point for each thread
                     : apart && !threads ? "1"
                                         : step;
    }
    if (std::ranges::find(candidates, one) == candidates.end()) { candidates.push_back(one); }
  };
  for (const int rank : {draft.rank, draft.rank + 1}) {
    if (rank > 3 || (rank > draft.rank && (draft.rank == 1 || draft.axes.size() != 1))) { continue; }
    for (const int threadAxes : {axes, std::min(axes, 2)}) {
      for (const std::string& block : all) {
        for (const std::string& step : all) {
          // A block for each point along an axis without threads comes first.
          for (const bool apart : {true, false}) { add(rank, threadAxes, block, step, apart); }
        }
      }
      if (axes < 3) { break; }  // a 3D grid of flat blocks: each thread loops along z
    }
  }
  return candidates;
}

void apply(LaunchDraft& draft, const Candidate& one) {
  shapeArrays(draft, one.rank);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    draft.file.block[axis] = Expression(one.block[axis]);
    const bool grows = one.step[axis] != "1" || draft.facts.axes[axis];
    const std::string size = draft.extent(static_cast<int>(axis));
    draft.file.grid[axis] = Expression(!grows                  ? "1"
                                       : one.step[axis] == "1" ? size
                                                               : fmt::format("ceil({} / {})", size, one.step[axis]));
  }
  const bool dynamic = std::ranges::any_of(draft.program.objects, [](const MemoryObject& object) {
    return object.space == MemorySpace::Shared && object.extentsAtLaunch;
  });
  if (dynamic) {
    const LaunchConfiguration launch = draft.file.configuration(draft.file.defaults());
    draft.file.dynamicSharedBytes = Expression(std::to_string(
        std::min<std::int64_t>(kMaxSharedBytesPerBlock, std::int64_t{4 * 4} * launch.threadsPerBlock() + 4096)));
  }
}

}  // namespace

bool loopsOverAxisBeyond(const LaunchDraft& draft, const LaunchTrial& trial, int rank) {
  double points = 1;
  for (int axis = 0; axis < rank; ++axis) { points *= static_cast<double>(draft.value(draft.extent(axis))); }
  return static_cast<double>(trial.covered) > kDeeper * points;
}

void shapeForLaunch(LaunchDraft& draft) {
  shapeArrays(draft, draft.rank);
  // A kernel with 2D blocks may loop over the third axis; the emulator finds out.
  if (draft.rank != 2 || draft.clues.overrides.grid || draft.tryLaunch().clean) { return; }
  shapeArrays(draft, 3);
  if (const LaunchTrial deeper = draft.tryLaunch(); deeper.clean && loopsOverAxisBeyond(draft, deeper, draft.rank)) {
    draft.rank = 3;
  } else {
    shapeArrays(draft, draft.rank);
  }
}

void proposeByTrial(LaunchDraft& draft) {
  const std::vector<Candidate> candidates = candidatesOf(draft);
  std::uint64_t left = kMostInstructions;
  std::vector<LaunchTrial> trials;
  std::int64_t mostCovered = 0;
  for (const Candidate& one : candidates) {
    if (left == 0) { break; }
    apply(draft, one);
    trials.push_back(draft.tryLaunch());
    left -= std::min(left, trials.back().instructions + kForEachTrial);
    if (one.rank > draft.rank && !loopsOverAxisBeyond(draft, trials.back(), draft.rank)) { trials.back() = {}; }
    mostCovered = std::max(mostCovered, trials.back().covered);
  }
  // A launch that leaves out a large part of the output may be free of faults only because of that.
  const auto merit = [&](std::size_t at) {
    const LaunchTrial& trial = trials[at];
    const bool getsThere = static_cast<double>(trial.covered) >= kCoverage * static_cast<double>(mostCovered);
    return std::tuple(trial.blocks > 0, trial.clean && getsThere, trial.covered,
                      -static_cast<std::int64_t>(trial.blocks));
  };
  std::size_t best = 0;
  for (std::size_t at = 1; at < trials.size(); ++at) {
    if (merit(at) > merit(best)) { best = at; }
  }
  if (!trials.empty()) {
    apply(draft, candidates[best]);
    draft.rank = candidates[best].rank;
  }
  // In terms of the sizes' names: the launch may be used with other values.
  draft.assume(trf("No launch of it was executed: blocks of {}×{}×{} threads in a grid of {} × {} × {} are proposed.",
                   draft.file.block[0].text(), draft.file.block[1].text(), draft.file.block[2].text(),
                   draft.file.grid[0].text(), draft.file.grid[1].text(), draft.file.grid[2].text()));
}

}  // namespace haloscope::opening
