#include "figures/InteriorCount.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "analysis/Footprint.h"
#include "language/Text.h"

namespace haloscope::figures {

namespace {

/// The array that is read most among those not written; kNone if there is none.
ObjectId inputOf(const KernelFile& file, const Program& program, const analysis::Counts& counts) {
  if (file.computes) { return program.findObject(file.computes->input); }
  ObjectId most = kNone;
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    const bool global = program.objects[object].space == MemorySpace::Global;
    if (!global || counts.objects[object].loads == 0) { continue; }
    if (most == kNone || counts.objects[object].loads > counts.objects[most].loads) { most = object; }
  }
  return most;
}

/// Extents of an array in the header, slowest axis first; empty if not stated.
std::vector<std::int64_t> extentsOf(const KernelFile& file, const std::string& array, const Bindings& bindings) {
  std::vector<std::int64_t> extents;
  for (const ArrayDeclaration& one : file.arrays) {
    if (one.name != array) { continue; }
    for (const Expression& extent : one.shape) { extents.push_back(extent.evaluateInteger(bindings)); }
  }
  return extents;
}

/// The box that the stored elements fill; empty if they leave gaps, or the array has more than three axes.
std::vector<TileAxis> tileOf(const std::vector<std::int64_t>& stored, const std::vector<std::int64_t>& extents) {
  if (stored.empty() || extents.empty() || extents.size() > 3) { return {}; }
  std::vector<std::int64_t> low(extents), high(extents.size(), -1);
  for (std::int64_t rest : stored) {
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      const std::int64_t at = axis == 0 ? rest : rest % extents[axis];
      rest /= extents[axis];
      low[axis] = std::min(low[axis], at);
      high[axis] = std::max(high[axis], at);
    }
  }
  std::vector<TileAxis> tile;
  std::int64_t points = 1;
  for (std::size_t axis = extents.size(); axis-- > 0;) {  // x first
    tile.push_back({high[axis] - low[axis] + 1, 1, low[axis], 0, 0});
    points *= tile.back().outputs;
  }
  return points == static_cast<std::int64_t>(stored.size()) ? tile : std::vector<TileAxis>{};
}

}  // namespace

double InteriorCount::operationsPerOutput() const {
  return outputs == 0 ? 0 : static_cast<double>(block.counts.flops) / static_cast<double>(outputs);
}

double InteriorCount::reuseBound() const { return elementBytes == 0 ? 0 : operationsPerOutput() / elementBytes; }

double InteriorCount::withoutOutput() const {
  return work.threads == 0 ? 0 : 1 - static_cast<double>(work.working) / static_cast<double>(work.threads);
}

ObjectId outputOf(const KernelFile& file, const Program& program, const analysis::Counts& counts) {
  if (file.computes) { return program.findObject(file.computes->output); }
  ObjectId most = kNone;
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    const bool global = program.objects[object].space == MemorySpace::Global;
    if (!global || counts.objects[object].stores == 0) { continue; }
    if (most == kNone || counts.objects[object].stores > counts.objects[most].stores) { most = object; }
  }
  return most;
}

std::array<int, 3> reachOf(const KernelFile& file, const Bindings& bindings) {
  std::array<int, 3> reach{};
  for (const std::array<int, 3>& tap : file.taps(bindings)) {
    for (std::size_t axis = 0; axis < 3; ++axis) { reach[axis] = std::max(reach[axis], std::abs(tap[axis])); }
  }
  return reach;
}

KeptBorder keptBorder(const KernelFile& file, const Bindings& bindings) {
  KeptBorder kept;
  if (!file.computes || file.computes->border != Computes::Border::Keeps) { return kept; }
  for (const std::array<int, 3>& tap : file.taps(bindings)) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      kept.low[axis] = std::max(kept.low[axis], -tap[axis]);
      kept.high[axis] = std::max(kept.high[axis], tap[axis]);
    }
  }
  return kept;
}

std::string nothingComputed(const KernelFile& file, const Bindings& bindings) {
  if (!file.computes || file.computes->border != Computes::Border::Keeps) { return {}; }
  const std::vector<std::int64_t> extents =
      file.computes->points.empty() ? extentsOf(file, file.computes->output, bindings) : file.points(bindings);
  if (extents.empty() || extents.size() > 3) { return {}; }
  const KeptBorder kept = keptBorder(file, bindings);
  bool empty = false;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const std::size_t axis = 3 - extents.size() + i;
    empty = empty || extents[i] <= kept.low[axis] + kept.high[axis];
  }
  if (!empty) { return {}; }
  std::string sizes;
  for (const SizeParameter& size : file.sizes) {
    sizes += fmt::format("{}{} = {}", sizes.empty() ? "" : ", ", size.name, bindings.at(size.name));
  }
  return trf("At {} no point is computed: the grid is too small.", sizes.empty() ? tr("this size") : sizes);
}

std::optional<InteriorCount> countInterior(const KernelFile& file, const Bindings& bindings, const Program& program,
                                           const std::stop_token& stop) {
  const Dim3 threads = file.configuration(bindings).block;
  analysis::ThreadWork work(threads);
  analysis::FootprintObserver footprint(program);
  simt::Observer* const observers[] = {&work, &footprint};
  experiment::InteriorOptions options;
  options.stop = stop;
  options.observers = observers;
  options.countHalo = true;
  if (file.computes) { options.halo = {file.computes->input, file.computes->output}; }
  auto block = experiment::countInteriorBlock(file, bindings, program, options);
  if (!block) { return std::nullopt; }
  InteriorCount count{std::move(*block), work.total(), 0, 0, 0, {}};
  const ObjectId input = inputOf(file, program, count.block.counts);
  if (input != kNone) {
    count.elementBytes = sizeInMemory(program.objects[input].element);
    count.inputs = footprint.loaded(input).size();
  }
  const ObjectId output = outputOf(file, program, count.block.counts);
  if (output == kNone) { return count; }
  const std::vector<std::int64_t>& stored = footprint.stored(output);
  count.outputs = stored.size();
  count.tile = tileOf(stored, extentsOf(file, program.objects[output].name, count.block.bindings));
  const std::array<int, 3> reach = reachOf(file, bindings);
  const std::array<std::int64_t, 3> blockExtent = {threads.x, threads.y, threads.z};
  const Dim3 grid = file.configuration(count.block.bindings).grid;
  const Dim3 middle = experiment::innerBlock(grid);
  const std::array<std::int64_t, 3> index = {middle.x, middle.y, middle.z};
  for (std::size_t axis = 0; axis < count.tile.size(); ++axis) {
    count.tile[axis].threads = blockExtent[axis];
    count.tile[axis].block = index[axis];
    count.tile[axis].radius = reach[2 - axis];
  }
  return count;
}

}  // namespace haloscope::figures
