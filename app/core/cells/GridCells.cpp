#include <algorithm>
#include <bit>
#include <cmath>

#include "cells/CellGrid.h"
#include "program/RealBits.h"
#include "recording/Cursor.h"

namespace haloscope::cells {

using recording::Cursor;
using recording::Origin;
using recording::PointView;
using recording::Role;

namespace {

using Kind = CellGrid::Kind;

/// The point of an element, among points that are sorted by it; null: none.
const PointView* pointOf(const std::vector<PointView>& points, std::int64_t element) {
  const auto found = std::ranges::lower_bound(points, element, {}, &PointView::element);
  return found == points.end() || found->element != element ? nullptr : &*found;
}

void takePoint(GridCell& cell, const PointView& point) {
  cell.at = point.at;
  cell.placed = true;
  cell.role = point.role;
}

/// A shared array that never holds copies of the input has no place in the grid: its cells have roles by origin.
void fillPlain(const CellGrid& grid, const Cursor& cursor, std::vector<GridCell>& cells) {
  const std::vector<recording::Cell>& held = cursor.shared(grid.id);
  for (std::size_t i = 0; i < std::min(cells.size(), held.size()); ++i) {
    cells[i].known = true;
    cells[i].cell = held[i];
    cells[i].role = held[i].origin.kind == Origin::Kind::Unwritten ? Role::Unwritten : Role::Computed;
    cells[i].changed = !cursor.atStart() && held[i].writtenAt == cursor.currentStep();
  }
}

void fillRead(const CellGrid& grid, const std::vector<PointView>* points, std::vector<GridCell>& cells) {
  for (GridCell& cell : cells) {
    const auto found =
        std::ranges::lower_bound(grid.read, cell.index, {}, &std::pair<std::int64_t, std::uint64_t>::first);
    if (cell.index < 0 || found == grid.read.end() || found->first != cell.index) {
      if (cell.index < 0 && grid.kind == Kind::Input) { cell.role = Role::Ghost; }
      continue;
    }
    cell.known = cell.shown = true;
    cell.cell.bits = found->second;
    cell.role = Role::Interior;
    if (points == nullptr) { continue; }
    if (const PointView* point = pointOf(*points, cell.index)) {
      takePoint(cell, *point);
      cell.cell.bits = point->bits;
      cell.cell.writer = point->thread;
    }
  }
}

void fillOutput(const CellGrid& grid, const Cursor& cursor, const std::vector<PointView>& points,
                std::vector<GridCell>& cells) {
  for (GridCell& cell : cells) {
    const PointView* point = pointOf(points, cell.index);
    if (point == nullptr) { continue; }
    takePoint(cell, *point);
    cell.known = true;
    cell.changed = point->active;
    const recording::Cell* held = cursor.output(grid.id, cell.index);
    if (held == nullptr || held->writtenAt == kNone) { continue; }
    cell.cell = *held;
    cell.shown = true;
  }
}

}  // namespace

std::vector<std::int64_t> elementsRead(const Cursor& cursor, ObjectId object, std::optional<std::uint32_t> thread) {
  std::vector<std::int64_t> elements;
  if (cursor.atStart()) { return elements; }
  const recording::Recording& recording = cursor.recording();
  for (const recording::AccessGroup& group : recording.accessesOf(cursor.currentStep())) {
    if (group.store || group.object != object) { continue; }
    std::uint32_t n = group.first;
    for (LaneMask left = group.lanes; left != 0; left &= left - 1, ++n) {
      const auto by = group.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(left));
      if (!thread || by == *thread) { elements.push_back(recording.elements[n]); }
    }
  }
  std::ranges::sort(elements);
  return elements;
}

std::vector<GridCell> cellsOf(const CellGrid& grid, const Cursor& cursor, const recording::Footprint& footprint,
                              const recording::BlockView& view) {
  std::vector<GridCell> cells(static_cast<std::size_t>(grid.count));
  for (std::int64_t i = 0; i < grid.count; ++i) { cells[static_cast<std::size_t>(i)].index = grid.element(i); }
  if (grid.carrier != kNone) {
    const auto& held = view.carriers[grid.carrier].cells;
    for (std::size_t i = 0; i < std::min(cells.size(), held.size()); ++i) {
      static_cast<recording::CarrierCell&>(cells[i]) = held[i];
      cells[i].known = true;
    }
  } else if (grid.kind == Kind::Shared) {
    fillPlain(grid, cursor, cells);
  } else if (grid.kind == Kind::Output) {
    fillOutput(grid, cursor, view.outputs, cells);
  } else {
    fillRead(grid, grid.id == footprint.input ? &view.inputs : nullptr, cells);
  }
  if (grid.kind == Kind::Shared || grid.kind == Kind::Register) {
    for (GridCell& cell : cells) {
      cell.shown = cell.cell.origin.kind != Origin::Kind::Unwritten && !recording::isPoison(grid.type, cell.cell.bits);
    }
  }
  if (grid.kind == Kind::Register) { return cells; }
  const std::vector<std::int64_t> read = elementsRead(cursor, grid.id);
  for (GridCell& cell : cells) { cell.read = !read.empty() && std::ranges::binary_search(read, cell.index); }
  return cells;
}

float ValueRange::shade(double value) const {
  if (!(high > low)) { return 0.6F; }
  return static_cast<float>(std::clamp((value - low) / (high - low), 0.0, 1.0));
}

ValueRange rangeOf(const CellGrid& grid, const std::vector<GridCell>& cells, const recording::Recording& recording,
                   const recording::Footprint& footprint) {
  ValueRange range{0, 0};
  bool first = true;
  const auto add = [&](ValueType type, std::uint64_t bits) {
    const double value = numberOf(type, bits);
    if (!std::isfinite(value)) { return; }
    range.low = first ? value : std::min(range.low, value);
    range.high = first ? value : std::max(range.high, value);
    first = false;
  };
  if (grid.carrier != kNone && footprint.input != kNone) {
    const ValueType type = recording.program->objects[footprint.input].element;
    for (const PointView& point : footprint.loadPoints) { add(type, point.bits); }
  } else {
    for (const GridCell& cell : cells) {
      if (cell.shown) { add(grid.type, cell.cell.bits); }
    }
  }
  return range;
}

}  // namespace haloscope::cells
