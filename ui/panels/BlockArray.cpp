#include "ui/panels/BlockArray.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "language/Text.h"
#include "program/Half.h"
#include "ui/widgets/CarrierColours.h"

namespace haloscope::ui {
namespace {

using recording::CarrierCell;
using recording::Cell;
using recording::Origin;
using recording::Role;

/// The widest row of cells; longer one-dimensional arrays are folded at the width of a warp.
constexpr std::int64_t kWidestRow = 64;

void shape(BlockArray& array) {
  const auto count = static_cast<std::int64_t>(array.cells.size());
  const std::size_t axes = array.extents.size();
  std::int64_t wide = axes == 0 ? 1 : array.extents.back();
  std::int64_t high = axes < 2 ? 1 : array.extents[axes - 2];
  if (axes < 2 && wide > kWidestRow) {
    high = (wide + kWarpSize - 1) / kWarpSize;
    wide = kWarpSize;
  }
  array.columns = static_cast<int>(std::max<std::int64_t>(1, wide));
  array.rows = static_cast<int>(std::max<std::int64_t>(1, high));
  const std::int64_t slice = std::int64_t{array.columns} * array.rows;
  array.slices = static_cast<int>(std::max<std::int64_t>(1, (count + slice - 1) / slice));
}

ValueRange rangeOf(ValueType type, const std::vector<std::uint64_t>& values) {
  ValueRange range{0, 0};
  bool first = true;
  for (const std::uint64_t bits : values) {
    const double value = numberOf(type, bits);
    if (!std::isfinite(value)) { continue; }
    range.low = first ? value : std::min(range.low, value);
    range.high = first ? value : std::max(range.high, value);
    first = false;
  }
  return range;
}

/// The range of the input's values over all steps, so that a shade always means the same value.
ValueRange inputRange(const experiment::Experiment& experiment) {
  if (experiment.footprint.input == kNone) { return {}; }
  std::vector<std::uint64_t> values;
  values.reserve(experiment.footprint.loadPoints.size());
  for (const recording::PointView& point : experiment.footprint.loadPoints) { values.push_back(point.bits); }
  return rangeOf(experiment.program->objects[experiment.footprint.input].element, values);
}

/// The cells of an array that the selected thread reads in the current step.
std::vector<bool> readByThread(const AppState& state, ObjectId object, std::size_t cells) {
  std::vector<bool> read(cells);
  if (state.cursor.atStart()) { return read; }
  const recording::Recording& recording = state.cursor.recording();
  const std::uint32_t warp = state.selection.thread / kWarpSize;
  const LaneMask lane = LaneMask{1} << (state.selection.thread % kWarpSize);
  for (const recording::AccessGroup& group : recording.accessesOf(state.cursor.currentStep())) {
    if (group.store || group.object != object || group.warp != warp || (group.lanes & lane) == 0) { continue; }
    const auto before = static_cast<std::uint32_t>(std::popcount(group.lanes & (lane - 1)));
    const auto element = static_cast<std::size_t>(recording.elements[group.first + before]);
    if (element < cells) { read[element] = true; }
  }
  return read;
}

BlockArray arrayOf(const AppState& state, const recording::CarrierView& view, ImU32 hue) {
  BlockArray array;
  const bool shared = view.carrier->kind == recording::Carrier::Kind::SharedArray;
  array.kind = shared ? BlockArray::Kind::Shared : BlockArray::Kind::Register;
  array.name = view.carrier->name;
  array.hue = hue;
  array.type = view.carrier->type;
  array.extents = view.carrier->extents;
  array.cells = view.cells;
  if (shared) {
    array.readByThread = readByThread(state, view.carrier->id, array.cells.size());
  } else {
    array.readByThread.resize(array.cells.size());
  }
  return array;
}

/// A shared array that never holds copies of the input has no position in the grid; its cells are classified by origin.
BlockArray plainShared(const AppState& state, const Theme& theme, ObjectId id) {
  const MemoryObject& object = state.experiment->program->objects[id];
  BlockArray array;
  array.name = object.name;
  array.hue = theme.of(Role::Computed);
  array.type = object.element;
  array.extents = state.cursor.recording().extents[id];
  std::vector<std::uint64_t> values;
  for (const Cell& held : state.cursor.shared(id)) {
    CarrierCell cell;
    cell.index = static_cast<std::int64_t>(array.cells.size());
    cell.cell = held;
    cell.role = held.origin.kind == Origin::Kind::Unwritten ? Role::Unwritten : Role::Computed;
    cell.changed = !state.cursor.atStart() && held.writtenAt == state.cursor.currentStep();
    array.cells.push_back(cell);
    if (cell.role != Role::Unwritten) { values.push_back(held.bits); }
  }
  array.range = rangeOf(array.type, values);
  array.readByThread = readByThread(state, id, array.cells.size());
  return array;
}

BlockArray constantArray(const AppState& state, const Theme& theme, ObjectId id) {
  const MemoryObject& object = state.experiment->program->objects[id];
  const std::vector<std::uint64_t>& values = state.cursor.recording().initialConstants[id];
  BlockArray array;
  array.kind = BlockArray::Kind::Constant;
  array.name = object.name;
  array.hue = theme.colours().text;
  array.type = object.element;
  array.extents = state.cursor.recording().extents[id];
  for (const std::uint64_t bits : values) {
    CarrierCell cell;
    cell.index = static_cast<std::int64_t>(array.cells.size());
    cell.cell.bits = bits;
    array.cells.push_back(cell);
  }
  array.range = rangeOf(array.type, values);
  array.readByThread = readByThread(state, id, array.cells.size());
  return array;
}

}  // namespace

float ValueRange::shade(double value) const {
  if (!(high > low)) { return 0.6F; }
  return static_cast<float>(std::clamp((value - low) / (high - low), 0.0, 1.0));
}

double numberOf(ValueType type, std::uint64_t bits) {
  if (type == ValueType::F16) { return static_cast<double>(halfValue(static_cast<std::uint16_t>(bits))); }
  if (type == ValueType::F32) { return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))); }
  if (type == ValueType::F64) { return std::bit_cast<double>(bits); }
  if (!isSigned(type)) { return static_cast<double>(bits); }
  return static_cast<double>(sizeInRegister(type) == 4 ? static_cast<std::int32_t>(bits)
                                                       : static_cast<std::int64_t>(bits));
}

bool BlockArray::isActive(int slice) const {
  const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(firstOf(slice));
  const auto end = cells.begin() + static_cast<std::ptrdiff_t>(endOf(slice));
  return std::any_of(begin, end, [](const CarrierCell& cell) { return cell.changed || cell.read; });
}

const char* BlockArray::kindText() const {
  switch (kind) {
    case Kind::Shared:
      return tr("shared");
    case Kind::Register:
      return tr("register, one per thread");
    case Kind::Constant:
      return tr("constant");
  }
  return "";
}

std::vector<BlockArray> blockArrays(const AppState& state, const Theme& theme) {
  std::vector<BlockArray> arrays;
  const std::vector<ImU32> hues = carrierColours(theme, *state.experiment);
  const ValueRange range = inputRange(*state.experiment);
  std::vector<ObjectId> shown;
  for (std::size_t i = 0; i < state.blockView.carriers.size(); ++i) {
    const recording::CarrierView& view = state.blockView.carriers[i];
    if (view.carrier == nullptr || i >= hues.size()) { continue; }
    arrays.push_back(arrayOf(state, view, hues[i]));
    arrays.back().range = range;
    if (arrays.back().kind == BlockArray::Kind::Shared) { shown.push_back(view.carrier->id); }
  }
  const std::vector<MemoryObject>& objects = state.experiment->program->objects;
  for (ObjectId id = 0; id < objects.size(); ++id) {
    const bool carries = std::find(shown.begin(), shown.end(), id) != shown.end();
    if (objects[id].space == MemorySpace::Shared && !carries) { arrays.push_back(plainShared(state, theme, id)); }
  }
  const auto& constants = state.cursor.recording().initialConstants;
  for (ObjectId id = 0; id < objects.size(); ++id) {
    const bool filled = id < constants.size() && !constants[id].empty();
    if (objects[id].space == MemorySpace::Constant && filled) { arrays.push_back(constantArray(state, theme, id)); }
  }
  for (BlockArray& array : arrays) { shape(array); }
  return arrays;
}

}  // namespace haloscope::ui
