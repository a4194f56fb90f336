#include "provenance/OperandRoles.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>

#include "language/Text.h"
#include "recording/Cursor.h"
#include "recording/GridShape.h"
#include "recording/Placement.h"

namespace haloscope::provenance {
namespace {

using recording::AccessGroup;
using recording::Carrier;
using recording::CarrierCell;
using recording::Change;
using recording::Footprint;
using recording::GridPoint;
using recording::Recording;

class Placer {
 public:
  Placer(const OutputTrace& trace, const std::shared_ptr<const Recording>& recording, const Footprint& footprint,
         const std::vector<Carrier>& carriers, const std::optional<OutputTrace>& sideBySide)
      : recording_(*recording), footprint_(footprint), carriers_(carriers), cursor_(recording) {
    // Operands can only be compared one by one where the same statements took them.
    const auto alike = [](const Operand& a, const Operand& b) { return a.usedIn == b.usedIn && a.usedBy == b.usedBy; };
    if (sideBySide && std::ranges::equal(trace.operands, sideBySide->operands, alike)) {
      meant_ = &sideBySide->operands;
    }
  }

  OperandPlace place(const Operand& operand, std::size_t index) {
    OperandPlace place;
    place.role = roleOf(operand);
    if (operand.object == footprint_.input && footprint_.input != kNone) {
      place.at = footprint_.point(operand.element);
    }
    if (place.role == OperandRole::Literal || place.role == OperandRole::Uninitialised) { findPoint(operand, place); }
    if (operand.kind == Operand::Kind::Computed) { place.missed = {{operand.computedBy, operand.computedAt}}; }
    if (place.role == OperandRole::Uninitialised) { place.missed = laterWrite(operand, false); }
    if (meant_ != nullptr && !isFault(place.role)) { compare(operand, (*meant_)[index], place); }
    return place;
  }

 private:
  [[nodiscard]] OperandRole roleOf(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::Element:
        if (operand.object != footprint_.input) { return OperandRole::OtherArray; }
        return footprint_.computes(operand.element) ? OperandRole::Interior : OperandRole::Halo;
      case Operand::Kind::Computed:
        return operand.object == footprint_.input ? OperandRole::Overwritten : OperandRole::OtherArray;
      case Operand::Kind::Constant:
        return OperandRole::Constant;
      case Operand::Kind::Literal:
        return OperandRole::Literal;
      case Operand::Kind::Uninitialised:
        return OperandRole::Uninitialised;
      case Operand::Kind::OutOfBounds:
        return OperandRole::OutOfBounds;
    }
    return OperandRole::Literal;
  }

  /// When the value left its n-th place.
  [[nodiscard]] static std::uint32_t readAt(const Operand& operand, std::size_t hop) {
    return hop + 1 < operand.hops.size() ? operand.hops[hop + 1].step : operand.usedAt;
  }

  /// The grid point of what has no element of its own: from the shared array, or the register, that held it among
  /// others which are copies of the input.
  void findPoint(const Operand& operand, OperandPlace& place) {
    std::optional<CarrierCell> cell;
    if (operand.kind == Operand::Kind::Uninitialised && operand.object != kNone) {
      cell = cellOf(Carrier::Kind::SharedArray, operand.object, operand.element, operand.loadedAt);
    }
    for (std::size_t i = operand.hops.size(); !cell && i-- > 0;) {
      const Hop& hop = operand.hops[i];
      if (hop.place != Hop::Place::Shared && hop.place != Hop::Place::Variable) { continue; }
      const auto kind = hop.place == Hop::Place::Shared ? Carrier::Kind::SharedArray : Carrier::Kind::Register;
      cell = cellOf(kind, hop.id, hop.index, readAt(operand, i));
    }
    if (cell && cell->placed) {
      place.at = cell->at;
      if (place.role == OperandRole::Literal && cell->role == recording::Role::Ghost) {
        place.role = OperandRole::Ghost;
      }
    } else if (!cell && operand.kind == Operand::Kind::Literal && operand.given) {
      const auto at = pointOfThread(operand.usedBy, operand.hops.empty() ? operand.usedAt : operand.hops.front().step);
      if (at && footprint_.element(*at) < 0) {
        place.at = at;
        place.role = OperandRole::Ghost;
      }
    }
  }

  /// A carrier's cell just before a step.
  [[nodiscard]] std::optional<CarrierCell> cellOf(Carrier::Kind kind, std::uint32_t id, std::int64_t index,
                                                  std::uint32_t step) {
    const auto carrier = std::ranges::find_if(
        carriers_, [&](const Carrier& candidate) { return candidate.kind == kind && candidate.id == id; });
    if (carrier == carriers_.end()) { return std::nullopt; }
    const auto [view, isNew] = views_.try_emplace(step);
    if (isNew) {
      cursor_.goTo(step);
      view->second = viewBlock(cursor_, footprint_, carriers_);
    }
    const auto& cells = view->second.carriers[static_cast<std::size_t>(carrier - carriers_.begin())].cells;
    if (index < 0 || static_cast<std::size_t>(index) >= cells.size()) { return std::nullopt; }
    return cells[static_cast<std::size_t>(index)];
  }

  /// Where a thread would have read the input in a step in which others read it, one element each: `inside ? in[i] :
  /// 0.0f`.
  [[nodiscard]] std::optional<GridPoint> pointOfThread(std::uint32_t thread, std::uint32_t step) const {
    const recording::GridShape shape(footprint_.inputExtents);
    std::vector<recording::KnownPoint> points(recording_.threadCount());
    std::optional<std::uint32_t> instruction;
    for (const AccessGroup& group : recording_.accessesOf(step)) {
      if (group.store || group.space != MemorySpace::Global || group.object != footprint_.input) { continue; }
      if (instruction.value_or(group.instruction) != group.instruction) { return std::nullopt; }
      instruction = group.instruction;
      std::size_t n = group.first;
      for (LaneMask lanes = group.lanes; lanes != 0; lanes &= lanes - 1, ++n) {
        const auto reader = group.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
        points[reader] = {true, shape.point(recording_.elements[n])};
      }
    }
    if (!instruction) { return std::nullopt; }
    const Dim3& block = recording_.configuration.block;
    const auto placement = fitPlacement({block.z, block.y, block.x}, points, footprint_.inputExtents);
    return placement ? std::optional(placement->at(thread)) : std::nullopt;
  }

  /// The first write of another thread to the shared element that an operand was read from last, after that;
  /// `sameInterval`: before the next barrier.
  [[nodiscard]] std::optional<MissedWrite> laterWrite(const Operand& operand, bool sameInterval) const {
    ObjectId object = operand.object;
    std::int64_t element = operand.element;
    std::uint32_t readStep = operand.loadedAt;
    std::uint32_t reader = operand.loadedBy;
    if (operand.kind != Operand::Kind::Uninitialised) {
      const std::size_t last = lastShared(operand);
      if (last == operand.hops.size()) { return std::nullopt; }
      object = operand.hops[last].id;
      element = operand.hops[last].index;
      readStep = readAt(operand, last);
      reader = last + 1 < operand.hops.size() ? operand.hops[last + 1].thread : operand.usedBy;
    }
    if (object == kNone || recording_.program->objects[object].space != MemorySpace::Shared) { return std::nullopt; }
    const std::uint32_t interval = recording_.steps[readStep].interval;
    for (std::size_t step = readStep; step < recording_.steps.size(); ++step) {
      if (sameInterval && recording_.steps[step].interval != interval) { break; }
      for (const Change& change : recording_.changesOf(step)) {
        if (change.kind == Change::Kind::Shared && change.id == object && change.index == element &&
            change.thread != reader) {
          return MissedWrite{change.thread, static_cast<std::uint32_t>(step)};
        }
      }
    }
    return std::nullopt;
  }

  /// The last hop through shared memory, or as many as there are hops.
  [[nodiscard]] static std::size_t lastShared(const Operand& operand) {
    for (std::size_t i = operand.hops.size(); i-- > 0;) {
      if (operand.hops[i].place == Hop::Place::Shared) { return i; }
    }
    return operand.hops.size();
  }

  void compare(const Operand& operand, const Operand& meant, OperandPlace& place) const {
    const bool same = operand.kind == meant.kind && operand.object == meant.object && operand.element == meant.element;
    const std::size_t last = lastShared(operand);
    if (same || last == operand.hops.size() || meant.kind == Operand::Kind::Uninitialised) { return; }
    if (meant.object == footprint_.input) { place.instead = meant.element; }
    place.missed = laterWrite(operand, true);
    place.role = place.missed ? OperandRole::Stale : OperandRole::Overwritten;
    if (!place.missed) { place.missed = {{operand.hops[last].thread, operand.hops[last].step}}; }
  }

  const Recording& recording_;
  const Footprint& footprint_;
  const std::vector<Carrier>& carriers_;
  recording::Cursor cursor_;
  std::map<std::uint32_t, recording::BlockView> views_;  ///< by step
  const std::vector<Operand>* meant_ = nullptr;
};

}  // namespace

const char* name(OperandRole role) {
  switch (role) {
    case OperandRole::Interior:
      return trMark("interior");
    case OperandRole::Halo:
      return trMark("halo");
    case OperandRole::Ghost:
      return trMark("ghost");
    case OperandRole::Constant:
      return trMark("constant");
    case OperandRole::Literal:
      return trMark("literal");
    case OperandRole::OtherArray:
      return trMark("other array");
    case OperandRole::Uninitialised:
      return trMark("uninitialised");
    case OperandRole::Stale:
      return trMark("stale");
    case OperandRole::Overwritten:
      return trMark("overwritten");
    case OperandRole::OutOfBounds:
      return trMark("out of bounds");
  }
  return "";
}

bool isFault(OperandRole role) { return role >= OperandRole::Uninitialised; }

std::vector<OperandPlace> placeOperands(const OutputTrace& trace, const std::shared_ptr<const Recording>& recording,
                                        const Footprint& footprint, const std::vector<Carrier>& carriers,
                                        const std::optional<OutputTrace>& sideBySide) {
  Placer placer(trace, recording, footprint, carriers, sideBySide);
  std::vector<OperandPlace> places;
  for (std::size_t i = 0; i < trace.operands.size(); ++i) { places.push_back(placer.place(trace.operands[i], i)); }
  return places;
}

}  // namespace haloscope::provenance
