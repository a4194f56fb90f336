#include "faults/Races.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "faults/MarkedElements.h"

namespace haloscope::faults {
namespace {

/// From this many slots on it pays to track whether a single thread uses an element.
constexpr std::size_t kManySlots = 16;

std::uint32_t folded(std::uint64_t value) { return static_cast<std::uint32_t>(value ^ ((value >> 32) * 0x9e3779b1U)); }

}  // namespace

Races::Races(const Program& program, const Launch& launch, bool shared, std::vector<Window> globals)
    : program_(program),
      launch_(launch),
      shared_(shared),
      globals_(std::move(globals)),
      concurrent_(std::make_shared<const analysis::ConcurrentAccesses>(program)),
      granules_(program, launch),
      watched_(program.objects.size()) {
  if (LaneClocks::matters(program)) { clocks_.emplace(launch.configuration.warpsPerBlock()); }
  if (ordersBlocks(program)) {
    order_.emplace(launch);
    gridUses_ = std::make_shared<GridUses>();
    gridUses_->uses.resize(program.objects.size());
    gridUses_->pairs.resize(program.objects.size());
  }
  if (BarrierOrder::matters(program)) { barriers_.emplace(launch.configuration.warpsPerBlock()); }
  for (ObjectId object = 0; shared_ && object < watched_.size(); ++object) {
    if (program.objects[object].space == MemorySpace::Shared) { watch(object, 0, granules_.count(object)); }
  }
  for (const Window& window : globals_) { watch(window.object, window.first, window.count); }
}

Races::Races(const Program& program, const Launch& launch)
    : Races(program, launch, true, [&] {
        std::vector<Window> all;
        for (ObjectId object = 0; object < program.objects.size(); ++object) {
          if (program.objects[object].space == MemorySpace::Global) {
            all.push_back({object, 0, provenance::Granules(program, launch).count(object)});
          }
        }
        return all;
      }()) {}

void Races::watch(ObjectId object, std::int64_t first, std::int64_t count) {
  const std::size_t slots = concurrent_->slots(object);
  if (slots == 0) { return; }
  Watched& watched = watched_[object];
  watched.on = true;
  watched.global = program_.objects[object].space == MemorySpace::Global;
  watched.first = first;
  watched.count = count;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    watched.uses.emplace_back(static_cast<std::size_t>(count));
    if (clocks_) { watched.laneUses.emplace_back(static_cast<std::size_t>(count)); }
    if (keepsOrder()) { orderedUses(object).emplace_back(static_cast<std::size_t>(count)); }
    if (!order_ && watched.global) { watched.gridUses.emplace_back(static_cast<std::size_t>(count)); }
  }
  watched.lastUsed.resize(slots);
  if (slots >= kManySlots) { watched.anyUse = provenance::PagedArray<IntervalUse>(static_cast<std::size_t>(count)); }
}

bool Races::listensTo(std::uint32_t instruction) const {
  if (order_ && concurrent_->signals(instruction)) { return true; }
  if (!concurrent_->mayRace(instruction)) { return false; }
  const ObjectId object = program_.code[instruction].aux;
  return object == kNone || watched_[object].on;
}

std::unique_ptr<simt::Observer> Races::fork() const {
  auto fork = std::make_unique<Races>(program_, launch_, shared_, globals_);
  if (order_) {
    fork->order_ = order_->fork();
    fork->gridUses_ = gridUses_;
  }
  return fork;
}

void Races::join(Observer& worker) {
  auto& from = static_cast<Races&>(worker);
  for (ObjectId object = 0; object < watched_.size(); ++object) {
    Watched& own = watched_[object];
    Watched& other = from.watched_[object];
    for (auto& [id, added] : other.pairs) {
      Pair& pair = own.pairs[id];
      const std::uint64_t occurrences = pair.occurrences + added.occurrences;
      unite(added.marks, pair.marks);
      const bool earlier =
          std::tie(added.block, added.interval, added.index) < std::tie(pair.block, pair.interval, pair.index);
      if (pair.occurrences == 0 || earlier) {
        pair = std::move(added);
      } else {
        pair.marks = std::move(added.marks);
      }
      pair.occurrences = occurrences;
    }
    for (std::size_t slot = 0; slot < own.gridUses.size(); ++slot) {
      own.gridUses[slot].join(other.gridUses[slot], [](GridUse& use, const GridUse& added) {
        if (added.least == 0) { return; }
        if (use.least == 0) {
          use = added;
          return;
        }
        use.least = std::min(use.least, added.least);
        use.most = std::max(use.most, added.most);
        use.valuesDiffer |= added.valuesDiffer || use.value != added.value;
      });
    }
  }
  for (auto& [id, elements] : from.marks_) {
    std::vector<RacingElements>& all = marks_[id];
    std::move(elements.begin(), elements.end(), std::back_inserter(all));
  }
}

void Races::blockBegins(const Dim3& /*block*/, std::uint64_t blockLinear) {
  block_ = blockLinear;
  interval_ = 0;
  ++epoch_;
  if (clocks_) { clocks_->restart(); }
  if (order_) { order_->beginBlock(blockLinear); }
  if (barriers_) { barriers_->restart(); }
}

void Races::blockEnds(const Dim3& /*block*/, std::uint64_t /*blockLinear*/) { endInterval(); }

void Races::barrierReleased(const Dim3& /*block*/, std::uint32_t interval) {
  endInterval();
  interval_ = interval;
  ++epoch_;
  if (clocks_) { clocks_->restart(); }
  if (order_) { order_->barrier(); }
  if (barriers_) { barriers_->restart(); }
}

void Races::fencePassed(const simt::WarpContext& context, FenceScope scope) {
  if (order_) { order_->fence(context.warp, scope); }
}

void Races::copyIssued(const simt::WarpContext& context, const simt::MemoryAccess& /*access*/, std::uint32_t /*copy*/) {
  if (barriers_) { barriers_->issue(context.warp, tick()); }
}

void Races::memoryBarrierTold(const simt::WarpContext& context, std::uint64_t barrier, bool copies) {
  if (copies) { return barriers_->copiesArrive(context.warp, barrier); }
  barriers_->arrive(context.warp, barrier, tick());
}

void Races::memoryBarrierPassed(const simt::WarpContext& context, std::uint64_t barrier) {
  barriers_->pass(context.warp, barrier);
}

void Races::gridReleased(std::uint32_t /*meeting*/) {
  if (order_) { order_->gridBarrier(); }
}

void Races::warpBarrierPassed(const simt::WarpContext& context, std::span<const LaneMask, kWarpSize> masks) {
  if (clocks_) { clocks_->meet(context.warp, context.active, masks); }
}

void Races::endInterval() {
  if (!marked_) { return; }
  marked_ = false;
  for (ObjectId object = 0; object < watched_.size(); ++object) {
    Watched& watched = watched_[object];
    if (watched.global) { continue; }
    for (auto& [id, pair] : watched.pairs) {
      if (pair.marks.empty()) { continue; }
      marks_[{object, id}].push_back({block_, interval_, 0, std::exchange(pair.marks, {})});
    }
  }
}

bool Races::writes(ObjectId object, std::uint32_t slot) const {
  return program_.code[concurrent_->instructions(object, slot).front()].op != Opcode::Load;
}

bool Races::isAtomic(ObjectId object, std::uint32_t slot) const {
  return haloscope::isAtomic(program_.code[concurrent_->instructions(object, slot).front()].op);
}

template <class Use>
bool Races::valuesMatter(ObjectId object, std::uint32_t a, std::uint32_t b, const Use& useA, const Use& useB) const {
  if (!writes(object, a) || !writes(object, b)) { return true; }  // what is read depends on the order
  if (isAtomic(object, a) || isAtomic(object, b)) { return true; }
  return useA.valuesDiffer || useB.valuesDiffer || useA.value != useB.value;
}

bool Races::isAlone(Watched& watched, std::size_t at, std::uint32_t thread) const {
  if (watched.anyUse.pageCount() == 0) { return false; }
  IntervalUse& any = watched.anyUse.at(at);
  if (any.epoch != epoch_) {
    any.epoch = epoch_;
    any.least = any.most = static_cast<std::uint16_t>(thread);
  }
  any.least = static_cast<std::uint16_t>(std::min<std::uint32_t>(any.least, thread));
  any.most = static_cast<std::uint16_t>(std::max<std::uint32_t>(any.most, thread));
  return !areApart(any.least, any.most);
}

bool Races::areApart(std::uint32_t a, std::uint32_t b) const {
  return clocks_ ? a / kWarpSize != b / kWarpSize : a != b;
}

bool Races::betweenThreads(ObjectId object, std::uint32_t a, std::uint32_t b, const IntervalUse& useA,
                           const IntervalUse& useB) const {
  const bool apart = areApart(std::min(useA.least, useB.least), std::max(useA.most, useB.most));
  return apart && valuesMatter(object, a, b, useA, useB);
}

bool Races::betweenBlocks(ObjectId object, std::uint32_t a, std::uint32_t b, const GridUse& useA,
                          const GridUse& useB) const {
  if (useA.least == 0 || useB.least == 0) { return false; }
  const std::uint64_t threads = launch_.configuration.threadsPerBlock();
  const std::uint64_t first = (std::min(useA.least, useB.least) - 1) / threads;
  const std::uint64_t last = (std::max(useA.most, useB.most) - 1) / threads;
  return first != last && valuesMatter(object, a, b, useA, useB);
}

void Races::access(const simt::WarpContext& context, const simt::MemoryAccess& access) {
  Watched& watched = watched_[access.object];
  const std::uint64_t time = keepsOrder() ? tick() : 0;
  if (order_ && concurrent_->signals(access.instruction)) {
    const Opcode op = program_.code[access.instruction].op;
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const std::int64_t element = access.index[static_cast<std::size_t>(std::countr_zero(rest))];
      if (readsMemory(op)) { order_->ask(context.warp, access.object, element, access.space); }
      if (writesMemory(op)) { order_->tell(context.warp, access.object, element, access.space); }
    }
  }
  if (!watched.on) { return; }
  const std::uint32_t slot = concurrent_->slot(access.object, access.instruction);
  if (slot == kNone) { return; }
  watched.lastUsed[slot] = epoch_;
  const std::int64_t perLane = granules_.perLane(access);
  for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::int64_t first = access.index[static_cast<std::size_t>(lane)] * perLane - watched.first;
    const std::uint32_t value = access.store ? folded(access.value[static_cast<std::size_t>(lane)]) : 0;
    for (std::int64_t index = first; index < first + perLane; ++index) {
      if (index < 0 || index >= watched.count) { continue; }
      if (clocks_) { touchLane(context, access.object, slot, index, lane, value); }
      const std::uint32_t thread = context.warp * kWarpSize + static_cast<std::uint32_t>(lane);
      touch(context, access.object, slot, index, thread, value);
      if (keepsOrder()) {
        touchOrdered(context, access.object, slot, index, {time, context.blockLinear, thread, value});
      }
    }
  }
}

void Races::copyArrived(const simt::WarpContext& context, const simt::MemoryAccess& access, std::uint32_t /*copy*/) {
  if (barriers_) { return; }  // nothing may use what is in flight, see CopiesInFlight
  this->access(context, access);
}

void Races::touch(const simt::WarpContext& context, ObjectId object, std::uint32_t slot, std::int64_t index,
                  std::uint32_t thread, std::uint32_t value) {
  Watched& watched = watched_[object];
  const auto at = static_cast<std::size_t>(index);
  IntervalUse& use = watched.uses[slot].at(at);
  const bool present = use.epoch == epoch_;
  const bool alone = isAlone(watched, at, thread);
  if (watched.global && !order_) { touchGrid(context, watched.gridUses[slot].at(at), thread, value); }
  if (!barriers_ && present && use.least == thread && use.most == thread && use.value == value) { return; }
  const IntervalUse before = use;
  if (present) {
    use.least = static_cast<std::uint16_t>(std::min<std::uint32_t>(use.least, thread));
    use.most = static_cast<std::uint16_t>(std::max<std::uint32_t>(use.most, thread));
    use.valuesDiffer |= use.value != value;
  } else {
    use = {epoch_, static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(thread), value, false};
  }
  if (alone) { return; }
  // A pair is noted once for each element and interval: when this access makes a race of what was none. Where barriers
  // in shared memory order threads within an interval, each access may be the first one that is not in order.
  for (const std::uint32_t partner : concurrent_->partners(object, slot)) {
    if (partner == slot) {
      if (present && betweenThreads(object, slot, slot, use, use) &&
          (barriers_ || !betweenThreads(object, slot, slot, before, before))) {
        note(context, object, slot, slot, index, thread, areApart(before.least, thread) ? before.least : before.most);
      }
      continue;
    }
    if (watched.lastUsed[partner] != epoch_) { continue; }
    const IntervalUse* const other = watched.uses[partner].find(at);
    if (other == nullptr || other->epoch != epoch_) { continue; }
    if (!betweenThreads(object, slot, partner, use, *other)) { continue; }
    if (!barriers_ && present && betweenThreads(object, slot, partner, before, *other)) { continue; }
    const std::uint32_t theirs = areApart(other->least, thread) ? other->least : other->most;
    const std::uint32_t mine = areApart(theirs, thread) ? thread : (areApart(use.least, theirs) ? use.least : use.most);
    note(context, object, slot, partner, index, mine, theirs);
  }
}

void Races::touchLane(const simt::WarpContext& context, ObjectId object, std::uint32_t slot, std::int64_t index,
                      int lane, std::uint32_t value) {
  Watched& watched = watched_[object];
  const auto at = static_cast<std::size_t>(index);
  const std::uint32_t firstThread = context.warp * kWarpSize;
  for (const std::uint32_t partner : concurrent_->partners(object, slot)) {
    const LaneUse* const other = watched.laneUses[partner].find(at);
    if (other == nullptr || other->epoch != epoch_ || other->warp != context.warp) { continue; }
    const bool bothStore =
        writes(object, slot) && writes(object, partner) && !isAtomic(object, slot) && !isAtomic(object, partner);
    for (LaneMask rest = other->lanes & ~(LaneMask{1} << lane); rest != 0; rest &= rest - 1) {
      const int theirs = std::countr_zero(rest);
      const auto entry = static_cast<std::size_t>(theirs);
      if (clocks_->isPast(context.warp, theirs, other->time[entry], lane)) { continue; }
      if (bothStore && other->value[entry] == value) { continue; }
      note(context, object, slot, partner, index, firstThread + static_cast<std::uint32_t>(lane),
           firstThread + static_cast<std::uint32_t>(theirs));
      break;
    }
  }
  LaneUse& use = watched.laneUses[slot].at(at);
  if (use.epoch != epoch_ || use.warp != context.warp) {
    use.epoch = epoch_;
    use.warp = context.warp;
    use.lanes = 0;
  }
  use.lanes |= LaneMask{1} << lane;
  use.time[static_cast<std::size_t>(lane)] = clocks_->now(context.warp, lane);
  use.value[static_cast<std::size_t>(lane)] = value;
}

void Races::touchGrid(const simt::WarpContext& context, GridUse& use, std::uint32_t thread, std::uint32_t value) const {
  const std::uint64_t number = context.blockLinear * launch_.configuration.threadsPerBlock() + thread + 1;
  if (use.least == 0) {
    use = {number, number, value, false};
  } else {
    use.least = std::min(use.least, number);
    use.most = std::max(use.most, number);
    use.valuesDiffer |= use.value != value;
  }
}

Races::SlotUses& Races::orderedUses(ObjectId object) {
  return order_ && watched_[object].global ? gridUses_->uses[object] : watched_[object].orderedUses;
}

bool Races::isOver(const simt::WarpContext& context, ObjectId object, std::uint32_t partner, std::int64_t index,
                   std::uint32_t thread) {
  const OrderedUse* const use = orderedUses(object)[partner].find(static_cast<std::size_t>(index));
  if (use == nullptr) { return true; }
  const OrderedUse::One* const last = use->byOtherThread({0, context.blockLinear, thread, 0});
  if (last == nullptr) { return true; }
  return (barriers_ && barriers_->isOver(context.warp, last->thread / kWarpSize, last->time)) ||
         (order_ && order_->isOver(context.warp, last->time, /*sameBlock=*/true, isAtomic(object, partner)));
}

void Races::touchOrdered(const simt::WarpContext& context, ObjectId object, std::uint32_t slot, std::int64_t index,
                         const OrderedUse::One& one) {
  SlotUses& uses = orderedUses(object);
  const auto at = static_cast<std::size_t>(index);
  for (const std::uint32_t partner :
       order_&& watched_[object].global ? concurrent_->partners(object, slot) : std::span<const std::uint32_t>{}) {
    const OrderedUse* const use = uses[partner].find(at);
    if (use == nullptr) { continue; }
    const OrderedUse::One& last = use->byOtherBlock(one.block);
    if (last.time == 0 || order_->isOver(context.warp, last.time, /*sameBlock=*/false, isAtomic(object, partner))) {
      continue;
    }
    const bool bothStore =
        writes(object, slot) && writes(object, partner) && !isAtomic(object, slot) && !isAtomic(object, partner);
    if (bothStore && last.value == one.value) { continue; }
    GridPair& pair = gridUses_->pairs[object][{std::min(slot, partner), std::max(slot, partner)}];
    if (isMarked(pair.marks, index)) { continue; }
    if (pair.occurrences++ == 0) {
      pair.index = index;
      pair.a = slot <= partner ? one : last;
      pair.b = slot <= partner ? last : one;
    }
    mark(pair.marks, index, watched_[object].count);
  }
  uses[slot].at(at).add(one);
}

void Races::note(const simt::WarpContext& context, ObjectId object, std::uint32_t slot, std::uint32_t partner,
                 std::int64_t index, std::uint32_t thread, std::uint32_t otherThread) {
  if (keepsOrder() && isOver(context, object, partner, index, thread)) { return; }
  Watched& watched = watched_[object];
  const std::uint32_t a = std::min(slot, partner);
  const std::uint32_t b = std::max(slot, partner);
  Pair& pair = watched.pairs[{a, b}];
  // Between warps as well as within one, or by several accesses.
  if ((clocks_ || barriers_) && isMarked(pair.marks, index)) { return; }
  const bool earlier = std::tuple(block_, interval_, index) < std::tie(pair.block, pair.interval, pair.index);
  if (pair.occurrences == 0 || earlier) {
    pair.block = context.blockLinear;
    pair.interval = interval_;
    pair.index = index;
    pair.threadA = slot == a ? thread : otherThread;
    pair.threadB = slot == a ? otherThread : thread;
    if (a == b && pair.threadA > pair.threadB) { std::swap(pair.threadA, pair.threadB); }
  }
  ++pair.occurrences;
  mark(pair.marks, index, watched.count);
  marked_ |= !watched.global;
}

}  // namespace haloscope::faults
