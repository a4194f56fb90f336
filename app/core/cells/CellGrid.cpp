#include "cells/CellGrid.h"

#include <algorithm>
#include <bit>
#include <map>

#include "language/Text.h"
#include "recording/GridShape.h"

namespace haloscope::cells {

using recording::Carrier;
using recording::GridPoint;
using recording::GridShape;
using recording::Recording;

namespace {

using Kind = CellGrid::Kind;

constexpr std::int64_t kMostCells = 200'000;  // of a box: far more than can be told apart

CellGrid gridOf(Kind kind, std::uint32_t id, const Recording& recording) {
  const MemoryObject& object = recording.program->objects[id];
  CellGrid grid;
  grid.kind = kind;
  grid.id = id;
  grid.name = object.name;
  grid.type = object.element;
  grid.extents = recording.extents[id];
  return grid;
}

void takeWhole(CellGrid& grid) {
  const GridShape shape(grid.extents);
  grid.planes = shape.planes();
  grid.rows = shape.rows();
  grid.columns = shape.columns();
  grid.count = grid.planes * grid.rows * grid.columns;
}

/// The box from `low` to `high`, inclusive; where that has too many cells, the elements themselves.
void takeBox(CellGrid& grid, const GridPoint& low, const GridPoint& high, std::vector<std::int64_t> elements) {
  grid.low = low;
  grid.planes = high.z - low.z + 1;
  grid.rows = high.y - low.y + 1;
  grid.columns = high.x - low.x + 1;
  grid.count = grid.planes * grid.rows * grid.columns;
  if (grid.count <= kMostCells) { return; }
  elements.resize(std::min(elements.size(), static_cast<std::size_t>(kMostCells)));
  grid.listed = std::move(elements);
  grid.low = {};
  grid.planes = grid.rows = 1;
  grid.columns = grid.count = static_cast<std::int64_t>(grid.listed.size());
}

void takeBox(CellGrid& grid, std::vector<std::int64_t> elements) {
  const GridShape shape(grid.extents);
  GridPoint low = shape.point(elements.front()), high = low;
  for (const std::int64_t element : elements) {
    const GridPoint at = shape.point(element);
    low = {std::min(low.z, at.z), std::min(low.y, at.y), std::min(low.x, at.x)};
    high = {std::max(high.z, at.z), std::max(high.y, at.y), std::max(high.x, at.x)};
  }
  takeBox(grid, low, high, std::move(elements));
}

/// Of each array that is not the block's own what it reads.
std::vector<std::map<std::int64_t, std::uint64_t>> firstReads(const Recording& recording) {
  std::vector<std::map<std::int64_t, std::uint64_t>> read(recording.program->objects.size());
  for (const recording::AccessGroup& group : recording.accesses) {
    if (group.store || (group.space != MemorySpace::Global && group.space != MemorySpace::Constant)) { continue; }
    const auto end = group.first + static_cast<std::uint32_t>(std::popcount(group.lanes));
    for (std::uint32_t n = group.first; n < end; ++n) {
      read[group.object].try_emplace(recording.elements[n], recording.values[n]);
    }
  }
  return read;
}

}  // namespace

void CellGrid::fold(std::int64_t width) {
  if (!isStrip() || count <= width) { return; }
  columns = width;
  rows = (count + width - 1) / width;
}

std::int64_t CellGrid::element(std::int64_t cell) const {
  if (cell >= count) { return -1; }
  if (!listed.empty()) { return listed[static_cast<std::size_t>(cell)]; }
  if (isStrip()) { return GridShape(extents).element({0, 0, low.x + cell}); }
  const GridPoint at{cell / (rows * columns), cell / columns % rows, cell % columns};
  return GridShape(extents).element(low + at);
}

std::string CellGrid::nameOf(std::int64_t element, const Dim3& block) const {
  if (kind != Kind::Register) { return recording::formatElement(name, extents, element); }
  return trf("{} of thread {}", name, text(unlinear(static_cast<std::uint64_t>(element), block)));
}

const char* CellGrid::kindText() const {
  switch (kind) {
    case Kind::Input:
    case Kind::Read:
      return tr("global memory, read");
    case Kind::Shared:
      return tr("shared memory");
    case Kind::Register:
      return tr("register, one per thread");
    case Kind::Constant:
      return tr("constant memory");
    case Kind::Output:
      return tr("global memory, written");
  }
  return "";
}

recording::Change::Kind CellGrid::changeKind() const {
  using recording::Change;
  return kind == Kind::Shared     ? Change::Kind::Shared
         : kind == Kind::Register ? Change::Kind::Variable
                                  : Change::Kind::Global;
}

std::vector<CellGrid> ownArrays(const Recording& recording, const std::vector<Carrier>& carriers,
                                const std::vector<recording::CarrierPlane>& planes) {
  std::vector<CellGrid> grids;
  std::vector<bool> carries(recording.program->objects.size());
  for (std::uint32_t c = 0; c < carriers.size(); ++c) {
    const Carrier& carrier = carriers[c];
    CellGrid grid;
    grid.kind = carrier.kind == Carrier::Kind::SharedArray ? Kind::Shared : Kind::Register;
    grid.id = carrier.id;
    grid.carrier = c;
    grid.place = c < planes.size() ? planes[c].place : recording::RotationPlace::None;
    grid.name = carrier.name;
    grid.type = carrier.type;
    grid.extents = carrier.extents;
    if (grid.kind == Kind::Shared) { carries[carrier.id] = true; }
    while (grid.kind == Kind::Register && grid.extents.size() > 1 && grid.extents.front() == 1) {
      grid.extents.erase(grid.extents.begin());
    }
    takeWhole(grid);
    grids.push_back(std::move(grid));
  }
  for (const MemorySpace space : {MemorySpace::Shared, MemorySpace::Constant}) {
    for (ObjectId id = 0; id < carries.size(); ++id) {
      if (recording.program->objects[id].space != space || carries[id]) { continue; }
      const bool constant = space == MemorySpace::Constant;
      if (constant && (id >= recording.initialConstants.size() || recording.initialConstants[id].empty())) { continue; }
      CellGrid grid = gridOf(constant ? Kind::Constant : Kind::Shared, id, recording);
      takeWhole(grid);
      if (constant) {
        for (const std::uint64_t bits : recording.initialConstants[id]) {
          grid.read.emplace_back(static_cast<std::int64_t>(grid.read.size()), bits);
        }
      }
      grids.push_back(std::move(grid));
    }
  }
  return grids;
}

std::vector<CellGrid> allArrays(const Recording& recording, const recording::Footprint& footprint,
                                const std::vector<Carrier>& carriers,
                                const std::vector<recording::CarrierPlane>& planes) {
  const auto read = firstReads(recording);
  std::vector<CellGrid> inputs, coefficients;
  for (ObjectId id = 0; id < read.size(); ++id) {
    if (read[id].empty() || (id == footprint.output && id != footprint.input)) { continue; }
    const bool input = id == footprint.input;
    const bool constant = recording.program->objects[id].space == MemorySpace::Constant;
    const Kind kind = constant                                                   ? Kind::Constant
                      : input || recording.extents[id] == footprint.inputExtents ? Kind::Input
                                                                                 : Kind::Read;
    CellGrid grid = gridOf(kind, id, recording);
    grid.read.assign(read[id].begin(), read[id].end());
    std::vector<std::int64_t> elements;
    for (const auto& [element, bits] : grid.read) { elements.push_back(element); }
    if (input) {
      takeBox(grid, footprint.lowest, footprint.highest, std::move(elements));
    } else {
      takeBox(grid, std::move(elements));
    }
    std::vector<CellGrid>& group = kind == Kind::Input ? inputs : coefficients;
    group.insert(input ? group.begin() : group.end(), std::move(grid));
  }
  std::vector<CellGrid> grids = std::move(inputs);
  for (CellGrid& grid : ownArrays(recording, carriers, planes)) {
    if (grid.kind != Kind::Constant) { grids.push_back(std::move(grid)); }
  }
  std::ranges::move(coefficients, std::back_inserter(grids));
  if (!footprint.outputs.empty()) {
    CellGrid grid = gridOf(Kind::Output, footprint.output, recording);
    takeBox(grid, footprint.outputs);
    grids.push_back(std::move(grid));
  }
  return grids;
}

}  // namespace haloscope::cells
