#include "figures/LaunchTail.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "experiment/Experiment.h"
#include "figures/ProblemText.h"
#include "language/Text.h"
#include "program/NumberText.h"
#include "simt/Executor.h"

namespace haloscope::figures {

namespace {

constexpr std::int64_t kMostSamples = 600;
constexpr std::int64_t kFlatSize = 258, kSolidSize = 66;

/// Points of the output along each axis, x first; empty without a header.
std::vector<std::int64_t> domainOf(const KernelFile& file, const Bindings& bindings) {
  std::vector<std::int64_t> extents;
  if (!file.computes) { return extents; }
  if (!file.computes->points.empty()) {
    std::ranges::reverse_copy(file.points(bindings), std::back_inserter(extents));
    return extents;
  }
  for (const ArrayDeclaration& array : file.arrays) {
    if (array.name != file.computes->output) { continue; }
    for (const Expression& extent : array.shape) { extents.insert(extents.begin(), extent.evaluateInteger(bindings)); }
  }
  return extents;
}

void executeGrid(const KernelFile& file, LaunchTail& tail, const std::stop_token& stop) {
  const std::uint64_t threads = tail.configuration.grid.count() * tail.configuration.block.count();
  if (threads > kMostTailThreads) {
    tail.problem = trf("{} threads are too many to execute here (maximum {}): only the formula is shown.",
                       grouped(threads), grouped(kMostTailThreads));
    return;
  }
  const Program program = experiment::compile(file, tail.bindings);
  const std::int64_t bytes = experiment::arrayBytes(file, tail.bindings, program);
  if (bytes > kMostTailBytes) {
    tail.problem = trf("The arrays would take {} bytes, more than {}: only the formula is shown.",
                       grouped(static_cast<std::uint64_t>(bytes)), grouped(static_cast<std::uint64_t>(kMostTailBytes)));
    return;
  }
  // An opened kernel's control flow may depend on its data, so it gets the data that it is checked with.
  const auto input = file.computes ? experiment::InputKind::Zero : experiment::InputKind::Blobs;
  Launch launch = experiment::makeLaunch(file, tail.bindings, program, input);
  analysis::ThreadWork work(tail.configuration.block);
  simt::Observer* const observers[] = {&work};
  simt::ExecuteOptions options;
  options.stop = stop;
  const simt::ExecuteResult result = simt::execute(program, launch, observers, options);
  if (const auto fault = experiment::faultOf(result)) {
    tail.problem = problemText(file, fault->where, fault->message);
    return;
  }
  tail.work = work.total();
  tail.blocks = work.blocks();
  tail.executed = true;
}

/// In 3D, if a block is longer than the domain along x: enlarges that axis, if it has its own size parameter.
Bindings withLongBlock(const KernelFile& file, Bindings sizes) {
  const std::vector<std::int64_t> extents = domainOf(file, sizes);
  if (extents.size() < 3 || file.configuration(sizes).block.x <= extents.front()) { return sizes; }
  for (const SizeParameter& one : file.sizes) {
    Bindings longer = sizes;
    longer[one.name] = std::clamp(kFlatSize, one.minimum, one.maximum);
    const std::vector<std::int64_t> now = domainOf(file, longer);
    const bool alongX = now.front() > extents.front();
    if (alongX && std::equal(now.begin() + 1, now.end(), extents.begin() + 1)) { return longer; }
  }
  return sizes;
}

/// Sizes at which a block of a few hundred threads has neighbours on all sides.
Bindings roomySizes(const KernelFile& file, Bindings sizes) {
  const std::int64_t wanted = domainOf(file, sizes).size() >= 3 ? kSolidSize : kFlatSize;
  for (const SizeParameter& one : file.sizes) { sizes[one.name] = std::clamp(wanted, one.minimum, one.maximum); }
  return withLongBlock(file, std::move(sizes));
}

/// Points of [first, first + outputs) inside the domain, excluding the ends that keep their value.
std::int64_t outputsWithin(const TailAxis& axis, std::int64_t block, std::int64_t extent) {
  const std::int64_t begin = std::max<std::int64_t>(axis.first + block * axis.outputs, axis.keepLow);
  const std::int64_t end = std::min(axis.first + (block + 1) * axis.outputs, extent - axis.keepHigh);
  return std::max<std::int64_t>(0, end - begin);
}

}  // namespace

double BlockGroup::workingShare() const {
  return threads == 0 ? 0 : static_cast<double>(working) / static_cast<double>(threads);
}

double LaunchTail::withoutResult() const {
  return work.threads == 0 ? 0 : static_cast<double>(threadsWithoutResult()) / static_cast<double>(work.threads);
}

BlockGroup LaunchTail::together(const Dim3& first, const Dim3& count) const {
  const Dim3& grid = configuration.grid;
  BlockGroup group;
  for (std::uint32_t z = first.z; z < std::min(first.z + count.z, grid.z); ++z) {
    for (std::uint32_t y = first.y; y < std::min(first.y + count.y, grid.y); ++y) {
      for (std::uint32_t x = first.x; x < std::min(first.x + count.x, grid.x); ++x) {
        const analysis::BlockWork& block = blocks[linear({x, y, z}, grid)];
        group.working += block.working;
        group.helping += block.helping;
        group.idle += block.idle;
        ++group.blocks;
        group.blocksWithoutWork += block.working == 0 ? 1 : 0;
      }
    }
  }
  group.threads = group.working + group.helping + group.idle;
  return group;
}

std::uint64_t LaunchTail::blocksWithoutWork() const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(blocks, [](const analysis::BlockWork& block) { return block.working == 0; }));
}

LaunchTail countTail(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  LaunchTail tail;
  tail.bindings = bindings;
  try {
    tail.bindings = file.bind(bindings);
    tail.configuration = file.configuration(tail.bindings);
    tail.domain = domainOf(file, tail.bindings);
    executeGrid(file, tail, stop);
  } catch (const UserError& error) { tail.problem = problemText(file, error); }
  tail.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return tail;
}

std::uint64_t TailPattern::working(const Dim3& grid, const std::vector<std::int64_t>& domain) const {
  const std::array<std::uint32_t, 3> blocks = {grid.x, grid.y, grid.z};
  std::uint64_t all = 1;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    std::uint64_t along = 0;
    for (std::int64_t block = 0; block < blocks[axis]; ++block) {
      const std::int64_t outputs = outputsWithin(axes[axis], block, domain[axis]);
      along += static_cast<std::uint64_t>(std::min(outputs, axes[axis].working));
    }
    all *= along;
  }
  return all;
}

std::optional<TailPattern> tailPattern(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop) {
  if (!file.computes) { return std::nullopt; }
  // On a small domain the only block would be taken for an interior one.
  const Bindings sizes = roomySizes(file, bindings);
  const auto count = countInterior(file, sizes, experiment::compile(file, sizes), stop);
  if (!count || count->tile.empty()) { return std::nullopt; }
  TailPattern pattern;
  std::int64_t working = 1;
  const KeptBorder kept = keptBorder(file, bindings);
  for (std::size_t i = 0; i < count->tile.size(); ++i) {
    const TileAxis& tile = count->tile[i];
    TailAxis axis{tile.first - tile.block * tile.outputs, tile.outputs, std::min(tile.outputs, tile.threads),
                  kept.low[2 - i], kept.high[2 - i]};
    if (axis.working != 1 && axis.working != axis.outputs) { return std::nullopt; }
    working *= axis.working;
    pattern.axes.push_back(axis);
  }
  return working == static_cast<std::int64_t>(count->work.working) ? std::optional(pattern) : std::nullopt;
}

std::optional<double> TailSample::withoutWork() const {
  if (!working || threads == 0) { return std::nullopt; }
  return 1 - static_cast<double>(*working) / static_cast<double>(threads);
}

TailCurve tailCurve(const KernelFile& file, const Bindings& bindings, const std::string& size, std::int64_t lowest,
                    std::int64_t highest, const std::stop_token& stop) {
  TailCurve curve;
  curve.size = size;
  std::optional<TailPattern> pattern;
  try {
    pattern = tailPattern(file, bindings, stop);
  } catch (const UserError&) { pattern.reset(); }
  if (!pattern) {
    curve.note = tr("This kernel distributes its outputs in a way not covered by the formula: only counts are shown.");
  }
  const std::int64_t step = std::max<std::int64_t>(1, (highest - lowest) / kMostSamples + 1);
  for (std::int64_t value = lowest; value <= highest; value += step) {
    if (stop.stop_requested()) { throw experiment::Cancelled{}; }
    try {
      const Bindings at = withSize(file, bindings, size, value);
      const LaunchConfiguration configuration = file.configuration(at);
      TailSample sample;
      sample.size = value;
      sample.blocks = configuration.grid.count();
      sample.threads = sample.blocks * configuration.block.count();
      if (pattern) { sample.working = pattern->working(configuration.grid, domainOf(file, at)); }
      curve.samples.push_back(sample);
    } catch (const InputError&) { continue; }  // a size whose grid breaks a limit
  }
  return curve;
}

Bindings withSize(const KernelFile& file, Bindings bindings, const std::string& size, std::int64_t value) {
  const std::int64_t before = bindings.at(size);
  for (const SizeParameter& one : file.sizes) {
    if (one.name != size && bindings.at(one.name) != before) { continue; }
    bindings[one.name] = std::clamp(value, one.minimum, one.maximum);
  }
  return bindings;
}

Bindings tailDefaults(const KernelFile& file, const Bindings& bindings) {
  Bindings sizes = bindings;
  if (file.isOpened()) { return sizes; }  // its launch may be valid for its own sizes only
  const bool chosen = std::ranges::any_of(
      file.sizes, [&](const SizeParameter& one) { return bindings.at(one.name) != one.defaultValue; });
  if (chosen) { return sizes; }
  return roomySizes(file, sizes);
}

}  // namespace haloscope::figures
