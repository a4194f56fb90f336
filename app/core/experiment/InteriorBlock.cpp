#include "experiment/InteriorBlock.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "analysis/Footprint.h"
#include "experiment/Experiment.h"
#include "simt/Executor.h"

namespace haloscope::experiment {

namespace {

/// The arrays that were loaded and stored most, if distinct and of the same shape; else kNone.
std::pair<ObjectId, ObjectId> mostUsed(const analysis::FootprintObserver& footprint, const Launch& launch) {
  ObjectId input = kNone;
  ObjectId output = kNone;
  std::size_t loaded = 0;
  std::size_t stored = 0;
  for (ObjectId id = 0; id < launch.arrays.size(); ++id) {
    if (footprint.loaded(id).size() > loaded) { input = id, loaded = footprint.loaded(id).size(); }
    if (footprint.stored(id).size() > stored) { output = id, stored = footprint.stored(id).size(); }
  }
  const bool pair = input != kNone && output != kNone && input != output &&
                    launch.arrays[input].extents == launch.arrays[output].extents;
  return pair ? std::pair{input, output} : std::pair{kNone, kNone};
}

Dim3 clustersOf(const Dim3& grid, const Dim3& cluster) {
  return {grid.x / cluster.x, grid.y / cluster.y, grid.z / cluster.z};
}

/// Zeros in a chosen input say nothing of the kernel, and of a larger grid nothing was chosen.
inputs::ChosenData chosenFor(const KernelFile& file, bool enlarged, const inputs::ChosenData& chosen) {
  if (!file.computes) { return enlarged ? inputs::ChosenData{} : chosen; }
  inputs::ChosenData ofWeights;
  for (const std::string& name : file.computes->weightArrays()) {
    if (const auto found = chosen.find(name); found != chosen.end()) { ofWeights.insert(*found); }
  }
  return ofWeights;
}

/// The middle block; of clusters, a block of the middle one, which is counted as a whole.
InteriorBlock countMiddleBlock(const KernelFile& file, const Bindings& bindings, const Program& program,
                               const InteriorOptions& how) {
  Launch launch = makeLaunch(file, bindings, program, how.input, how.chosen);
  const Dim3 grid = launch.configuration.grid;
  simt::ExecuteOptions options;
  options.workers = 1;
  const Dim3 cluster = clusterOf(program, launch.configuration);
  const Dim3 inner = innerBlock(clustersOf(grid, cluster));
  options.onlyBlocks = {linear({inner.x * cluster.x, inner.y * cluster.y, inner.z * cluster.z}, grid)};
  InteriorBlock interior;
  interior.bindings = bindings;
  simt::ExecuteResult result;
  interior.counts = analysis::count(program, launch, options, &result, how.observers);
  throwIfFaulty(file, faultOf(result));
  if (how.countHalo) {
    analysis::FootprintObserver footprint(program);
    analysis::ZeroProducts products(program);
    simt::Observer* const observers[] = {&footprint, &products};
    simt::execute(program, launch, observers, options);
    interior.products = products.products();
    const auto [input, output] =
        how.halo ? std::pair{program.findObject(how.halo->input), program.findObject(how.halo->output)}
                 : mostUsed(footprint, launch);
    if (input != kNone && output != kNone && !footprint.loaded(input).empty()) {
      interior.haloFraction = footprint.haloFraction(input, output);
    }
  }
  return interior;
}

/// A size multiplied, clamped to its range. What vectors of four divide they divide again: a kernel may read other
/// sizes one by one.
std::int64_t enlarged(const SizeParameter& size, const Bindings& bindings, double factor) {
  constexpr std::int64_t kVector = 4;
  const std::int64_t now = bindings.at(size.name);
  const std::int64_t step = now % kVector == 0 ? kVector : 1;
  const auto wanted = static_cast<std::int64_t>(static_cast<double>(now) * factor) + 1;
  return std::min((wanted + step - 1) / step * step, std::max(size.maximum, now));
}

/// All sizes multiplied.
Bindings enlarged(const KernelFile& file, const Bindings& bindings, double factor) {
  Bindings larger = bindings;
  for (const SizeParameter& size : file.sizes) { larger[size.name] = enlarged(size, bindings, factor); }
  return larger;
}

using Axes = std::array<bool, 3>;  ///< of the grid, x first

Axes differing(const Dim3& a, const Dim3& b) { return {a.x != b.x, a.y != b.y, a.z != b.z}; }

bool meet(const Axes& a, const Axes& b) { return (a[0] && b[0]) || (a[1] && b[1]) || (a[2] && b[2]); }

/// The axes along which the middle block, or cluster, lacks enough whole neighbouring ones for the reach of its taps.
Axes lackingAxes(const KernelFile& file, const Bindings& bindings, const Dim3& cluster) {
  const auto gridAt = [&](const Bindings& at) { return clustersOf(file.configuration(at).grid, cluster); };
  const Dim3 grid = gridAt(bindings);
  // An axis along which the grid does not grow with the problem, such as z of a 2D launch, has no border.
  const Dim3 larger = gridAt(enlarged(file, bindings, 8));
  std::int64_t reach = 0;
  for (const auto& tap : file.taps(bindings)) {
    for (const int offset : tap) { reach = std::max(reach, std::int64_t{std::abs(offset)}); }
  }
  reach *= file.steps(bindings);
  std::int64_t shortest = 1;
  for (const SizeParameter& size : file.sizes) {
    shortest = shortest == 1 ? bindings.at(size.name) : std::min(shortest, bindings.at(size.name));
  }
  // If the last block has room for one more point, it is not a whole block.
  Dim3 next = grid;
  try {
    Bindings longer = bindings;
    for (const SizeParameter& size : file.sizes) { ++longer[size.name]; }
    next = gridAt(longer);
  } catch (const InputError&) { next = grid; }
  const auto lacks = [&](std::uint32_t blocks, std::uint32_t blocksOfLarger, std::uint32_t blocksOfNext) {
    const std::int64_t pointsPerBlock = std::max<std::int64_t>(1, shortest / blocks);
    const std::int64_t around = std::max<std::int64_t>(1, (reach + pointsPerBlock - 1) / pointsPerBlock);
    return blocks != blocksOfLarger && blocks < 2 * around + (blocksOfNext > blocks ? 1 : 2);
  };
  return {lacks(grid.x, larger.x, next.x), lacks(grid.y, larger.y, next.y), lacks(grid.z, larger.z, next.z)};
}

/// Increases the sizes that enlarge the grid along one of the axes; larger other sizes would only cost time.
Bindings enlargedAlong(const KernelFile& file, const Bindings& bindings, const Axes& axes) {
  const Dim3 grid = file.configuration(bindings).grid;
  Bindings larger = bindings;
  for (const SizeParameter& size : file.sizes) {
    Bindings alone = bindings;
    alone[size.name] = enlarged(size, bindings, 8);
    if (meet(differing(grid, file.configuration(alone).grid), axes)) {
      larger[size.name] = enlarged(size, bindings, 1.25);
    }
  }
  return larger;
}

}  // namespace

Dim3 innerBlock(const Dim3& grid) { return {(grid.x - 1) / 2, (grid.y - 1) / 2, (grid.z - 1) / 2}; }

std::optional<Bindings> interiorSizes(const KernelFile& file, const Bindings& chosen, const Dim3& cluster,
                                      const std::stop_token& stop) {
  Bindings bindings = chosen;
  const auto lackingNow = [&] { return lackingAxes(file, bindings, cluster); };
  for (Axes lacking = lackingNow(); lacking != Axes{}; lacking = lackingNow()) {
    if (stop.stop_requested()) { throw Cancelled{}; }
    const Bindings larger = enlargedAlong(file, bindings, lacking);
    if (larger == bindings) { return std::nullopt; }
    bindings = larger;
  }
  return bindings;
}

std::optional<InteriorBlock> countInteriorBlock(const KernelFile& file, const Bindings& chosen, const Program& program,
                                                const InteriorOptions& options) {
  Bindings bindings = chosen;
  try {
    const Dim3 cluster = clusterOf(program, file.configuration(bindings));
    const std::optional<Bindings> sizes = interiorSizes(file, chosen, cluster, options.stop);
    if (!sizes) { return std::nullopt; }
    bindings = *sizes;
    InteriorOptions how = options;
    how.chosen = chosenFor(file, bindings != chosen, options.chosen);
    return countMiddleBlock(file, bindings, program, how);
  } catch (const FaultError&) { return std::nullopt; } catch (const UserError&) {
    if (bindings == chosen) { throw; }
  }
  return std::nullopt;
}

}  // namespace haloscope::experiment
