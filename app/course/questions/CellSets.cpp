#include "questions/CellSets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "experiment/TracedOutput.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "provenance/WritingBlock.h"
#include "questions/Execution.h"
#include "questions/SourceLines.h"
#include "recording/GridShape.h"

namespace haloscope::questions {

using recording::GridPoint;
using recording::GridShape;

namespace {

auto cellOrder(const GridPoint& at) { return std::tuple(at.z, at.y, at.x); }

/// Sorted, each once.
CellSet setOf(CellSet::Of of, std::string array, std::vector<std::int64_t> extents, std::vector<GridPoint> cells) {
  std::ranges::sort(cells, {}, cellOrder);
  const auto [first, last] = std::ranges::unique(cells);
  cells.erase(first, last);
  return {of, std::move(array), std::move(extents), std::move(cells)};
}

CellSet setOfArray(const experiment::Experiment& experiment, ObjectId object,
                   const std::vector<std::int64_t>& elements) {
  const std::vector<std::int64_t>& extents = experiment.launch->arrays[object].extents;
  const GridShape shape(extents);
  std::vector<GridPoint> cells;
  for (const std::int64_t element : elements) { cells.push_back(shape.point(element)); }
  return setOf(CellSet::Of::Array, experiment.program->objects[object].name, extents, std::move(cells));
}

/// The recorded experiment, whose block reads an input.
const experiment::Experiment& withInput(Execution& execution) {
  const experiment::Experiment& experiment = execution.recorded();
  if (experiment.footprint.input == kNone) { throw InputError(trf("block {} loads no array", text(experiment.block))); }
  return experiment;
}

std::int64_t whole(double number, const char* what) {
  if (!std::isfinite(number) || number != std::floor(number) || std::abs(number) > 1e15) {
    throw InputError(trf("{} {} is not an integer", tr(what), number));
  }
  return static_cast<std::int64_t>(number);
}

/// The thread (tx[,ty[,tz]]) of a block, linear.
std::uint32_t threadOf(const LaunchConfiguration& configuration, const SetArguments& arguments) {
  const std::array<std::int64_t, 3> extents = {configuration.block.x, configuration.block.y, configuration.block.z};
  if (arguments.numbers.empty() || arguments.numbers.size() > 3) {
    throw InputError(tr("a thread is named by threadIdx.x, y and z: loaded_by(0,1)"));
  }
  std::array<std::int64_t, 3> at{};
  for (std::size_t axis = 0; axis < arguments.numbers.size(); ++axis) {
    at[axis] = whole(arguments.numbers[axis], trMark("the thread's index"));
    if (at[axis] < 0 || at[axis] >= extents[axis]) {
      throw InputError(trf("a block has {} × {} × {} threads: none with threadIdx.{} = {}", extents[0], extents[1],
                           extents[2], "xyz"[axis], at[axis]));
    }
  }
  return static_cast<std::uint32_t>((at[2] * extents[1] + at[1]) * extents[0] + at[0]);
}

CellSet loadedBy(Execution& execution, const SetArguments& arguments) {
  const experiment::Experiment& experiment = withInput(execution);
  const recording::Recording& recording = *experiment.recording;
  const std::uint32_t thread = threadOf(execution.configuration(), arguments);
  const std::uint32_t warp = thread / kWarpSize;
  const LaneMask lane = LaneMask{1} << (thread % kWarpSize);
  std::vector<std::int64_t> elements;
  for (const recording::AccessGroup& access : recording.accesses) {
    if (access.store || access.object != experiment.footprint.input || access.warp != warp ||
        (access.lanes & lane) == 0) {
      continue;
    }
    elements.push_back(
        recording.elements[access.first + static_cast<std::uint32_t>(std::popcount(access.lanes & (lane - 1)))]);
  }
  return setOfArray(experiment, experiment.footprint.input, elements);
}

/// The element of an array that indices name, slowest axis first.
std::int64_t elementAt(const std::string& array, const std::vector<std::int64_t>& extents,
                       const std::vector<double>& indices) {
  if (indices.size() != extents.size()) {
    throw InputError(trf("{} takes {} indices, not {}", array, extents.size(), indices.size()));
  }
  std::int64_t element = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t at = whole(indices[axis], trMark("the index"));
    if (at < 0 || at >= extents[axis]) {
      throw InputError(trf("axis {} of {} has {} points: index {} is outside", axis, array, extents[axis], at));
    }
    element = element * extents[axis] + at;
  }
  return element;
}

/// Input cells of the operands of an output that `takes`, given the operand and the thread that writes the output.
template <typename Takes>
CellSet operandsOf(Execution& execution, const SetArguments& arguments, Takes takes) {
  const experiment::Experiment& recorded = withInput(execution);
  const ObjectId output = execution.output();
  const std::int64_t element =
      elementAt(recorded.program->objects[output].name, execution.outputExtents(), arguments.numbers);
  // Kept points are of no block.
  const CellSet none = setOfArray(recorded, recorded.footprint.input, {});
  if (std::ranges::binary_search(execution.kept(), element)) { return none; }
  const experiment::Experiment* experiment = &recorded;
  if (!std::ranges::binary_search(recorded.footprint.outputs, element)) {
    experiment = &execution.recordedBlockOf(element);
  }
  const auto traced = experiment::traceOutput(*experiment, element);
  if (!traced) { return none; }
  std::vector<std::int64_t> elements;
  for (const provenance::Operand& operand : traced->trace.operands) {
    if (operand.object == recorded.footprint.input && takes(operand, traced->trace.thread)) {
      elements.push_back(operand.element);
    }
  }
  return setOfArray(recorded, recorded.footprint.input, elements);
}

CellSet neededBy(Execution& execution, const SetArguments& arguments) {
  return operandsOf(execution, arguments, [](const provenance::Operand&, std::uint32_t) { return true; });
}

CellSet borrowedBy(Execution& execution, const SetArguments& arguments) {
  return operandsOf(execution, arguments, [](const provenance::Operand& operand, std::uint32_t thread) {
    return operand.loadedBy != thread;
  });
}

CellSet keptPoints(Execution& execution, const SetArguments& /*arguments*/) {
  const std::vector<std::int64_t>& kept = execution.kept();
  return setOfArray(execution.recorded(), execution.output(), kept);
}

CellSet writtenByBlock(Execution& execution, const SetArguments& /*arguments*/) {
  const experiment::Experiment& experiment = execution.recorded();
  return setOfArray(experiment, execution.output(), experiment.footprint.outputs);
}

CellSet lanesActive(Execution& execution, const SetArguments& arguments) {
  const experiment::Experiment& experiment = execution.recorded();
  const recording::WarpState& warp = experiment.recording->warpState(stepAt(experiment, arguments.at), 0);
  std::vector<GridPoint> lanes;
  for (LaneMask rest = warp.active; rest != 0; rest &= rest - 1) { lanes.push_back({0, 0, std::countr_zero(rest)}); }
  return setOf(CellSet::Of::Lanes, {}, {kWarpSize}, std::move(lanes));
}

constexpr std::array kSets = {
    NamedSet{"loaded_by", "(tx[,ty[,tz]])", trMark("input cells that a thread of the chosen block loads"), loadedBy},
    NamedSet{"needed_by", "(i[,j[,k]])",
             trMark("input cells that an output is computed from; indices as in out[i][j][k]"), neededBy},
    NamedSet{"borrowed_by", "(i[,j[,k]])", trMark("of these, the cells that other threads than the output's load"),
             borrowedBy},
    NamedSet{"idle_threads", "", trMark("threads of the chosen block that write no output"),
             [](Execution& execution, const SetArguments&) { return idleThreads(execution); }},
    NamedSet{"halo_cells", "", trMark("input cells outside its output tile that the chosen block loads"),
             [](Execution& execution, const SetArguments&) { return haloCells(execution); }},
    NamedSet{"unused_cells", "", trMark("input cells that the chosen block loads and no output of it needs"),
             [](Execution& execution, const SetArguments&) { return unusedCells(execution); }},
    NamedSet{"ghost_cells", "", trMark("cells that outputs lack: those outside the input"),
             [](Execution& execution, const SetArguments&) { return ghostCells(execution); }},
    NamedSet{"kept_points", "", trMark("output cells that keep their value"), keptPoints},
    NamedSet{"written_by_block", "", trMark("output cells that the chosen block writes"), writtenByBlock},
    NamedSet{"lanes_active", "(at=TEXT)",
             trMark("lanes of warp 0 of the chosen block that execute the first line with TEXT"), lanesActive},
};

}  // namespace

bool CellSet::contains(const GridPoint& cell) const {
  return std::ranges::binary_search(cells, cellOrder(cell), {}, cellOrder);
}

std::span<const NamedSet> namedSets() { return kSets; }

const NamedSet* findSet(const std::string& name) {
  const auto found = std::ranges::find(kSets, name, &NamedSet::name);
  return found == kSets.end() ? nullptr : &*found;
}

CellSet haloCells(Execution& execution) {
  const experiment::Experiment& experiment = withInput(execution);
  std::vector<std::int64_t> elements;
  for (const recording::PointView& point : experiment.footprint.loadPoints) {
    if (point.role == recording::Role::Halo) { elements.push_back(point.element); }
  }
  return setOfArray(experiment, experiment.footprint.input, elements);
}

CellSet unusedCells(Execution& execution) {
  const experiment::Experiment& experiment = withInput(execution);
  const recording::Footprint& footprint = experiment.footprint;
  const GridShape input(footprint.inputExtents);
  const GridShape output(execution.outputExtents());
  std::set<std::int64_t> needed;
  for (const std::int64_t element : footprint.outputs) {
    for (const GridPoint& tap : execution.taps()) {
      needed.insert(input.element(output.point(element) + footprint.outputShift + tap));
    }
  }
  std::vector<std::int64_t> elements;
  std::ranges::copy_if(footprint.loads, std::back_inserter(elements),
                       [&](std::int64_t element) { return !needed.contains(element); });
  return setOfArray(experiment, footprint.input, elements);
}

std::int64_t spanOfLoads(Execution& execution) {
  const experiment::Experiment& experiment = withInput(execution);
  const recording::Recording& recording = *experiment.recording;
  std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> ends;  // by thread
  for (const recording::AccessGroup& access : recording.accesses) {
    if (access.store || access.object != experiment.footprint.input) { continue; }
    std::uint32_t next = access.first;
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::int64_t element = recording.elements[next++];
      const auto thread = access.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(rest));
      auto& [low, high] = ends.try_emplace(thread, element, element).first->second;
      low = std::min(low, element);
      high = std::max(high, element);
    }
  }
  std::int64_t span = 0;
  for (const auto& [thread, both] : ends) { span = std::max(span, both.second - both.first); }
  return span;
}

CellSet idleThreads(Execution& execution) {
  const experiment::Experiment& experiment = execution.recorded();
  const Dim3& block = execution.configuration().block;
  std::vector<GridPoint> threads;
  for (std::uint32_t thread = 0; thread < block.count(); ++thread) {
    if (experiment.writes.of(thread, 0)) { continue; }
    const Dim3 at = unlinear(thread, block);
    threads.push_back({at.z, at.y, at.x});
  }
  return setOf(CellSet::Of::Threads, {}, {block.z, block.y, block.x}, std::move(threads));
}

CellSet ghostCells(Execution& execution) {
  const std::vector<GridPoint>& points = execution.missingPoints();
  const experiment::Experiment& experiment = execution.recorded();
  return setOf(CellSet::Of::Array, experiment.program->objects[experiment.footprint.input].name,
               experiment.footprint.inputExtents, points);
}

}  // namespace haloscope::questions
