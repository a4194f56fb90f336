#include "recording/BlockView.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <vector>

#include "language/Text.h"
#include "recording/GridShape.h"
#include "recording/Placement.h"

namespace haloscope::recording {

namespace {

ObjectId mostUsed(const std::vector<std::size_t>& counts) {
  const auto most = std::max_element(counts.begin(), counts.end());
  return most == counts.end() || *most == 0 ? kNone : static_cast<ObjectId>(most - counts.begin());
}

Role roleOf(const Cell& cell, const Footprint& footprint, bool outside) {
  switch (cell.origin.kind) {
    case Origin::Kind::Element:
      if (cell.origin.object != footprint.input) { return Role::Computed; }  // a weight, say: no point of the grid
      return footprint.computes(cell.origin.element) ? Role::Interior : Role::Halo;
    case Origin::Kind::Computed:
      return Role::Computed;
    case Origin::Kind::Constant:
    case Origin::Kind::Unwritten:
      break;
  }
  return outside ? Role::Ghost : Role::Unwritten;
}

void placeCells(CarrierView& view, const Footprint& footprint) {
  const GridShape shape(footprint.inputExtents);
  std::vector<KnownPoint> points(view.cells.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Origin& origin = view.cells[i].cell.origin;
    if (origin.kind == Origin::Kind::Element && origin.object == footprint.input) {
      points[i] = {true, shape.point(origin.element)};
    }
  }
  const auto placement = fitPlacement(view.carrier->extents, points, footprint.inputExtents);
  view.placed = placement.has_value();
  if (placement) { view.offset = placement->offset; }
  for (std::size_t i = 0; i < points.size(); ++i) {
    CarrierCell& cell = view.cells[i];
    cell.placed = points[i].known || view.placed;
    if (points[i].known) {
      cell.at = points[i].at;
    } else if (placement) {
      cell.at = placement->at(cell.index);
    }
    cell.role = roleOf(cell.cell, footprint, cell.placed && !shape.contains(cell.at));
  }
}

/// Marks the cells of a shared array that the current step loads from.
void markReads(CarrierView& view, const Recording& recording, std::size_t step) {
  for (const AccessGroup& group : recording.accessesOf(step)) {
    if (group.store || group.space != MemorySpace::Shared || group.object != view.carrier->id) { continue; }
    const auto count = static_cast<std::size_t>(std::popcount(group.lanes));
    for (std::size_t n = group.first; n < group.first + count; ++n) {
      const auto index = static_cast<std::size_t>(recording.elements[n]);
      if (index < view.cells.size()) { view.cells[index].read = true; }
    }
  }
}

/// Marks the cells of a shared array that copies are on their way to.
void markInFlight(CarrierView& view, const Recording& recording, std::size_t step) {
  for (std::uint32_t i = 0; i < recording.inFlight.size(); ++i) {
    const InFlight& copy = recording.inFlight[i];
    if (copy.object != view.carrier->id || !copy.isAt(step)) { continue; }
    const auto index = static_cast<std::size_t>(copy.index);
    if (index < view.cells.size()) { view.cells[index].inFlight = i; }
  }
}

/// Whether the code of a statement has the register as an operand. A statement with an inlined call in it may come in
/// several stretches.
bool usesRegister(const Program& program, StatementId statement, RegisterId reg) {
  bool inside = false;
  for (const Instruction& instruction : program.code) {
    if (instruction.op == Opcode::Statement) { inside = instruction.aux == statement; }
    if (inside && (instruction.a == reg || instruction.b == reg || instruction.c == reg)) { return true; }
  }
  return false;
}

/// Marks the threads that execute a statement in which the variable is read.
void markRegisterReads(CarrierView& view, const Recording& recording, std::size_t step) {
  const Program& program = *recording.program;
  const StatementId statement = recording.steps[step].statement;
  const RegisterId reg = program.variables[view.carrier->id].reg;
  if (statement == kNone || !usesRegister(program, statement, reg)) { return; }
  for (CarrierCell& cell : view.cells) {
    const auto thread = static_cast<std::uint32_t>(cell.index);
    const LaneMask active = recording.warpState(step, thread / kWarpSize).active;
    cell.read = (active >> (thread % kWarpSize) & 1U) != 0;
  }
}

/// The carrier that most of the step's copies into this one came from.
std::uint32_t findSource(const CarrierView& view, const Recording& recording, std::size_t step,
                         const std::vector<Carrier>& carriers) {
  const auto kind = view.carrier->kind == Carrier::Kind::SharedArray ? Change::Kind::Shared : Change::Kind::Variable;
  std::vector<std::size_t> votes(carriers.size());
  for (const Change& change : recording.changesOf(step)) {
    if (change.kind != kind || change.id != view.carrier->id) { continue; }
    for (std::size_t i = 0; i < carriers.size(); ++i) {
      const auto from =
          carriers[i].kind == Carrier::Kind::SharedArray ? Change::CopiedFrom::Shared : Change::CopiedFrom::Variable;
      votes[i] += change.copiedFrom == from && change.copiedId == carriers[i].id ? 1U : 0U;
    }
  }
  const auto most = std::max_element(votes.begin(), votes.end());
  return most == votes.end() || *most == 0 ? kNone : static_cast<std::uint32_t>(most - votes.begin());
}

CarrierView viewCarrier(const Cursor& cursor, const Footprint& footprint, const std::vector<Carrier>& carriers,
                        std::size_t index) {
  CarrierView view;
  view.carrier = &carriers[index];
  const bool array = view.carrier->kind == Carrier::Kind::SharedArray;
  const std::vector<Cell>& cells = array ? cursor.shared(view.carrier->id) : cursor.variable(view.carrier->id);
  view.cells.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    view.cells[i].index = static_cast<std::int64_t>(i);
    view.cells[i].cell = cells[i];
  }
  placeCells(view, footprint);
  if (cursor.atStart()) { return view; }

  const std::size_t step = cursor.currentStep();
  for (CarrierCell& cell : view.cells) { cell.changed = cell.cell.writtenAt == step; }
  if (array) {
    markReads(view, cursor.recording(), step);
    markInFlight(view, cursor.recording(), step);
  } else {
    markRegisterReads(view, cursor.recording(), step);
  }
  view.movedFrom = findSource(view, cursor.recording(), step, carriers);
  return view;
}

/// The input points, those that the current step reads marked.
std::vector<PointView> viewInputs(const Cursor& cursor, const Footprint& footprint) {
  std::vector<PointView> inputs = footprint.loadPoints;
  if (cursor.atStart()) { return inputs; }
  const Recording& recording = cursor.recording();
  const auto mark = [&](std::int64_t element, std::uint64_t bits, std::uint32_t thread, std::uint32_t rank) {
    const auto found = std::lower_bound(footprint.loads.begin(), footprint.loads.end(), element);
    if (found == footprint.loads.end() || *found != element) { return; }  // it is written, not read
    PointView& point = inputs[static_cast<std::size_t>(found - footprint.loads.begin())];
    point.active = true;
    point.bits = bits;
    point.thread = thread;
    point.rank = rank;
  };
  for (const AccessGroup& group : recording.accessesOf(cursor.currentStep())) {
    if (group.store || group.space != MemorySpace::Global || group.object != footprint.input) { continue; }
    std::size_t n = group.first;
    for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1, ++n) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
      mark(recording.elements[n], recording.values[n], group.warp * kWarpSize + lane, kNone);
    }
  }
  for (const ClusterAccess& access : recording.clusterAccessesOf(cursor.currentStep())) {
    if (access.origin.kind != Origin::Kind::Element || access.origin.object != footprint.input) { continue; }
    mark(access.origin.element, access.bits, access.thread, access.rank);
  }
  return inputs;
}

std::vector<PointView> viewOutputs(const Cursor& cursor, const Footprint& footprint) {
  std::vector<PointView> outputs = footprint.outputPoints;
  if (footprint.output == kNone || cursor.written(footprint.output).empty()) { return outputs; }
  for (PointView& point : outputs) {
    const Cell* cell = cursor.output(footprint.output, point.element);
    if (cell == nullptr) { continue; }
    point.role = Role::Output;
    point.bits = cell->bits;
    point.thread = cell->writer;
    point.step = cell->writtenAt;
    point.active = cell->writtenAt == cursor.currentStep();
  }
  return outputs;
}

/// What the lanes of one warp did to memory in a step.
struct WarpAccesses {
  LaneMask globalLoads = 0;
  LaneMask globalStores = 0;
  LaneMask sharedStores = 0;
};

LaneStatus statusOf(LaneMask lane, const WarpState& warp, const WarpAccesses& accesses, bool barrier) {
  if ((warp.active & lane) != 0) {
    if (barrier) { return LaneStatus::Waiting; }
    if ((accesses.globalStores & lane) != 0) { return LaneStatus::Storing; }
    if ((accesses.globalLoads & lane) != 0) { return LaneStatus::Loading; }
    return (accesses.sharedStores & lane) != 0 ? LaneStatus::Storing : LaneStatus::Computing;
  }
  if ((warp.exited & lane) != 0) { return LaneStatus::Exited; }
  if ((warp.waiting & lane) != 0) { return LaneStatus::Waiting; }
  return warp.active != 0 ? LaneStatus::MaskedOff : LaneStatus::Idle;
}

std::vector<LaneStatus> viewLanes(const Cursor& cursor) {
  const Recording& recording = cursor.recording();
  std::vector<LaneStatus> lanes(recording.threadCount(), LaneStatus::Idle);
  if (cursor.atStart()) { return lanes; }

  const std::size_t step = cursor.currentStep();
  std::vector<WarpAccesses> accesses(recording.warpCount());
  for (const AccessGroup& group : recording.accessesOf(step)) {
    WarpAccesses& warp = accesses[group.warp];
    if (group.space == MemorySpace::Global) {
      (group.store ? warp.globalStores : warp.globalLoads) |= group.lanes;
    } else if (group.space == MemorySpace::Shared && group.store) {
      warp.sharedStores |= group.lanes;
    }
  }
  const bool barrier = recording.activities[step] == Activity::Barrier;
  for (std::uint32_t thread = 0; thread < lanes.size(); ++thread) {
    const std::uint32_t warp = thread / kWarpSize;
    lanes[thread] =
        statusOf(LaneMask{1} << thread % kWarpSize, recording.warpState(step, warp), accesses[warp], barrier);
  }
  return lanes;
}

}  // namespace

GlobalArrays findGlobalArrays(const Recording& recording) {
  std::vector<std::size_t> reads(recording.program->objects.size());
  std::vector<std::size_t> writes(reads.size());
  for (const AccessGroup& group : recording.accesses) {
    if (group.space != MemorySpace::Global) { continue; }
    (group.store ? writes : reads)[group.object] += static_cast<std::size_t>(std::popcount(group.lanes));
  }

  GlobalArrays arrays;
  arrays.output = mostUsed(writes);
  if (arrays.output != kNone) {
    std::vector<std::size_t> alike = reads;
    for (std::size_t object = 0; object < alike.size(); ++object) {
      if (recording.extents[object] != recording.extents[arrays.output]) { alike[object] = 0; }
    }
    arrays.input = mostUsed(alike);
  }
  if (arrays.input == kNone) { arrays.input = mostUsed(reads); }
  return arrays;
}

BlockView viewBlock(const Cursor& cursor, const Footprint& footprint, const std::vector<Carrier>& carriers) {
  BlockView view;
  if (cursor.empty()) { return view; }
  view.carriers.reserve(carriers.size());
  for (std::size_t i = 0; i < carriers.size(); ++i) {
    view.carriers.push_back(viewCarrier(cursor, footprint, carriers, i));
  }
  view.inputs = viewInputs(cursor, footprint);
  view.outputs = viewOutputs(cursor, footprint);
  view.lanes = viewLanes(cursor);
  view.outputsWritten = footprint.output == kNone ? 0 : cursor.written(footprint.output).size();
  return view;
}

BlockPlace placeOf(const Dim3& block, const Dim3& grid) {
  if (grid.count() <= 1) { return BlockPlace::Only; }
  int axes = 0;
  int borders = 0;
  const auto look = [&](std::uint32_t at, std::uint32_t extent) {
    if (extent <= 1) { return; }
    ++axes;
    borders += at == 0 || at + 1 == extent ? 1 : 0;
  };
  look(block.x, grid.x);
  look(block.y, grid.y);
  look(block.z, grid.z);
  if (borders == 0) { return BlockPlace::Interior; }
  if (axes == 1) { return BlockPlace::Face; }
  if (borders == axes) { return BlockPlace::Corner; }
  return borders == axes - 1 ? BlockPlace::Edge : BlockPlace::Face;
}

std::string inFlightText(const Recording& recording, const InFlight& copy) {
  const Dim3 thread = unlinear(copy.thread, recording.configuration.block);
  std::string text = trf("by thread {}", haloscope::text(thread));
  if (copy.arrivesAt == kNone) { return trf("{}, nothing waits for it", text); }
  text += tr(", arrives");
  if (copy.barrier != kNone) {
    const std::string& name = recording.program->objects[copy.barrier].name;
    text += trf(" at {}", formatElement(name, recording.extents[copy.barrier], copy.barrierIndex));
  }
  return trf("{} in step {}", text, copy.arrivesAt + 1);
}

}  // namespace haloscope::recording
