#include "experiment/InteriorBlock.h"

#include <algorithm>
#include <cstdlib>

#include "analysis/Footprint.h"
#include "experiment/Experiment.h"
#include "experiment/ExperimentRunner.h"
#include "simt/Executor.h"

namespace haloscope::experiment {

namespace {

InteriorBlock countMiddleBlock(const KernelFile& file, const Bindings& bindings, const Program& program,
                               const InteriorOptions& how) {
  Launch launch = makeLaunch(file, bindings, program, how.input);
  const Dim3 grid = launch.configuration.grid;
  simt::ExecuteOptions options;
  options.workers = 1;
  options.onlyBlocks = {linear(innerBlock(grid), grid)};
  InteriorBlock interior;
  interior.bindings = bindings;
  simt::ExecuteResult result;
  interior.counts = analysis::count(program, launch, options, &result, how.beside);
  throwIfFaulty(file, faultOf(result));
  if (how.halo) {
    analysis::FootprintObserver footprint(program);
    analysis::ZeroProducts products(program);
    simt::Observer* const observers[] = {&footprint, &products};
    simt::execute(program, launch, observers, options);
    interior.products = products.products();
    interior.haloFraction =
        footprint.haloFraction(program.findObject(how.halo->input), program.findObject(how.halo->output));
  }
  return interior;
}

/// All sizes multiplied, as far as their ranges allow.
Bindings enlarged(const KernelFile& file, const Bindings& bindings, double factor) {
  Bindings larger = bindings;
  for (const SizeParameter& size : file.sizes) {
    const auto wanted = static_cast<std::int64_t>(static_cast<double>(bindings.at(size.name)) * factor) + 1;
    larger[size.name] = std::min(wanted, std::max(size.maximum, bindings.at(size.name)));
  }
  return larger;
}

/// Whether the middle block of the grid has whole blocks around it, as many as its taps reach across.
bool hasInterior(const KernelFile& file, const Bindings& bindings) {
  const Dim3 grid = file.configuration(bindings).grid;
  // An axis along which the grid does not grow with the problem has no border of its own: the z of a 2D launch.
  const Dim3 larger = file.configuration(enlarged(file, bindings, 8)).grid;
  std::int64_t reach = 0;
  for (const auto& tap : file.taps(bindings)) {
    for (const int offset : tap) { reach = std::max(reach, std::int64_t{std::abs(offset)}); }
  }
  std::int64_t shortest = 1;
  for (const SizeParameter& size : file.sizes) {
    shortest = shortest == 1 ? bindings.at(size.name) : std::min(shortest, bindings.at(size.name));
  }
  // One point more: where the last block had room for it, it is not a whole one.
  Dim3 next = grid;
  try {
    Bindings longer = bindings;
    for (const SizeParameter& size : file.sizes) { ++longer[size.name]; }
    next = file.configuration(longer).grid;
  } catch (const InputError&) { next = grid; }
  const auto axis = [&](std::uint32_t blocks, std::uint32_t blocksOfLarger, std::uint32_t blocksOfNext) {
    const std::int64_t pointsPerBlock = std::max<std::int64_t>(1, shortest / blocks);
    const std::int64_t around = std::max<std::int64_t>(1, (reach + pointsPerBlock - 1) / pointsPerBlock);
    return blocks == blocksOfLarger || blocks >= 2 * around + (blocksOfNext > blocks ? 1 : 2);
  };
  return axis(grid.x, larger.x, next.x) && axis(grid.y, larger.y, next.y) && axis(grid.z, larger.z, next.z);
}

}  // namespace

Dim3 innerBlock(const Dim3& grid) { return {(grid.x - 1) / 2, (grid.y - 1) / 2, (grid.z - 1) / 2}; }

std::optional<InteriorBlock> countInteriorBlock(const KernelFile& file, const Bindings& chosen, const Program& program,
                                                const InteriorOptions& options) {
  Bindings bindings = chosen;
  try {
    while (!hasInterior(file, bindings)) {
      if (options.stop.stop_requested()) { throw Cancelled{}; }
      const Bindings larger = enlarged(file, bindings, 1.25);
      if (larger == bindings) { return std::nullopt; }
      bindings = larger;
    }
    return countMiddleBlock(file, bindings, program, options);
  } catch (const FaultError&) { return std::nullopt; } catch (const SourceError&) {
    if (bindings == chosen) { throw; }
  } catch (const InputError&) {
    if (bindings == chosen) { throw; }
  }
  return std::nullopt;
}

}  // namespace haloscope::experiment
