#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "language/Text.h"
#include "simt/BlockRunner.h"

// Asynchronous copies, and the barriers in shared memory that wait for their bytes.

namespace haloscope::simt {
namespace {

std::string placeText(const SourceRange& where) { return fmt::format("{}:{}", where.line, where.column); }

}  // namespace

bool BlockRunner::takesCopy(std::uint32_t instruction, ObjectId object) {
  const MemorySpace space = context_.objects[object].space;
  return space == MemorySpace::Shared || (space == MemorySpace::Global && decoded_.program->code[instruction].bulk);
}

void BlockRunner::copyIssued(MemoryAccess& access) {
  if (takeRank(access.object) != kNone) {
    throw InputError(trf("unsupported: an asynchronous copy to the shared memory of another block, at {}",
                         placeText(decoded_.program->code[access.instruction].range)));
  }
  access.space = context_.objects[access.object].space;
  access.element = decoded_.program->code[access.instruction].type;
  const bool toGlobal = access.space == MemorySpace::Global;
  AsyncCopies<MemoryAccess>& copies = toGlobal ? running_->bulkStores : running_->copies;
  if (copies.isFull()) {
    throw InputError(trf("a warp has more than {} asynchronous copies in flight: nothing waits for them",
                         AsyncCopies<MemoryAccess>::kMostInFlight));
  }
  const std::uint32_t copy = copies.issue(access);
  const WarpContext context = contextOf(*running_, running_->active());
  for (Observer* observer : notifier_.all()) { observer->copyIssued(context, access, copy); }
}

void BlockRunner::commitCopies(RunningWarp& warp, const Node& node) {
  const Instruction& commit = decoded_.program->code[node.firstInstruction];
  const bool named = commit.a != kNone;
  AsyncCopies<MemoryAccess>& copies = commit.bulk && !named ? warp.bulkStores : warp.copies;
  copies.commit(warp.active(), named ? lanesOf<std::uint64_t>(warp, node.condition) : nullptr);
}

void BlockRunner::land(const RunningWarp& issuer, const MemoryAccess& store, std::uint32_t copy) {
  const auto size = static_cast<std::size_t>(sizeInMemory(store.element));
  std::byte* const base = context_.objects[store.object].data;
  for (LaneMask rest = store.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    std::memcpy(base + static_cast<std::size_t>(store.index[lane]) * size, &store.value[lane], size);
  }
  const WarpContext context = contextOf(issuer, issuer.active());
  for (Observer* observer : notifier_.all()) { observer->copyArrived(context, store, copy); }
}

void BlockRunner::landCopies(RunningWarp& warp, const Node& node) {
  AsyncCopies<MemoryAccess>& copies =
      decoded_.program->code[node.firstInstruction].bulk ? warp.bulkStores : warp.copies;
  copies.wait(warp.active(), lanesOf<std::uint32_t>(warp, node.condition),
              [&](const MemoryAccess& store, std::uint32_t copy) { land(warp, store, copy); });
}

void BlockRunner::landBulkStores() {
  for (RunningWarp& warp : warps_) {
    warp.bulkStores.arriveAll([&](const MemoryAccess& store, std::uint32_t copy) { land(warp, store, copy); });
  }
}

bool BlockRunner::useMemoryBarrier(RunningWarp& warp, const Node& node) {
  const MemoryBarrierAction action = memoryBarrierAction(decoded_.program->code[node.firstInstruction]);
  const auto* const addresses = lanesOf<std::uint64_t>(warp, node.condition);
  std::uint64_t last = PackedPointer::kNull;
  for (LaneMask rest = warp.active(); rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::uint64_t address = addresses[lane];
    if (!isOfBarriers(address)) {
      return fail(node, trf("{} is not the place of a barrier, which is 8 bytes of shared memory at a multiple of 8",
                            nameOf(address)));
    }
    if (action == MemoryBarrierAction::Initialise) {
      memoryBarriers_[address] = {.count = lanesOf<std::uint32_t>(warp, node.second)[lane]};
      continue;
    }
    const bool other = std::exchange(last, address) != address;
    const auto found = memoryBarriers_.find(address);
    if (found == memoryBarriers_.end()) {
      return fail(node, trf("the barrier {} is used before it is initialised", nameOf(address)));
    }
    switch (action) {
      case MemoryBarrierAction::Invalidate:
        memoryBarriers_.erase(found);
        break;
      case MemoryBarrierAction::Expect:
        found->second.expectedBytes += lanesOf<std::uint32_t>(warp, node.third)[lane];
        break;
      case MemoryBarrierAction::Arrive:
      case MemoryBarrierAction::ArriveDrop:
        if (!arrives(warp, node, lane, address, found->second)) { return false; }
        if (other) { signalled(warp, address, /*copies=*/false); }
        break;
      default:
        if (!asks(warp, node, lane, address, found->second, other)) { return false; }
        break;
    }
  }
  return true;
}

bool BlockRunner::arrives(RunningWarp& warp, const Node& node, int lane, std::uint64_t address,
                          MemoryBarrier& barrier) {
  const Instruction& code = decoded_.program->code[node.firstInstruction];
  const std::uint32_t arrivals = lanesOf<std::uint32_t>(warp, node.second)[lane];
  if (barrier.arrived == barrier.count) { endPhase(address, barrier); }
  if (arrivals > barrier.count - barrier.arrived) {
    const std::string bytes = barrier.copiedBytes == barrier.expectedBytes
                                  ? std::string()
                                  : trf(", of whose {} bytes {} have come", barrier.expectedBytes, barrier.copiedBytes);
    return fail(node, trf("thread {} of {} arrives at the barrier {} once more than its phase {} is for, which "
                          "has had {} of {} arrivals{}: wait for the phase before, or initialise it for more",
                          text(warp.threadIdx(lane)), describeBlock(), nameOf(address), barrier.phase, barrier.arrived,
                          barrier.count, bytes));
  }
  if (code.c != kNone) { barrier.expectedBytes += lanesOf<std::uint32_t>(warp, node.third)[lane]; }
  if (code.dst != kNone) { lanesOf<std::uint64_t>(warp, node.result)[lane] = barrier.phase; }
  barrier.arrived += arrivals;
  if (memoryBarrierAction(code) == MemoryBarrierAction::ArriveDrop) { barrier.dropped += arrivals; }
  return true;
}

void BlockRunner::signalled(const RunningWarp& warp, std::uint64_t address, bool copies) {
  const WarpContext context = contextOf(warp, warp.active());
  for (Observer* observer : notifier_.all()) { observer->memoryBarrierTold(context, address, copies); }
}

bool BlockRunner::asks(RunningWarp& warp, const Node& node, int lane, std::uint64_t address, MemoryBarrier& barrier,
                       bool notify) {
  const Instruction& code = decoded_.program->code[node.firstInstruction];
  const MemoryBarrierAction action = memoryBarrierAction(code);
  const bool byParity = action == MemoryBarrierAction::AskParity || action == MemoryBarrierAction::AwaitParity;
  const std::uint64_t wanted =
      byParity ? lanesOf<std::uint32_t>(warp, node.second)[lane] & 1U : lanesOf<std::uint64_t>(warp, node.second)[lane];
  const auto isOver = [&] { return (byParity ? barrier.phase & 1U : barrier.phase) != wanted; };
  if (!isOver()) { endPhase(address, barrier); }
  const bool over = isOver();
  if (over && notify) {
    const WarpContext context = contextOf(warp, warp.active());
    for (Observer* observer : notifier_.all()) { observer->memoryBarrierPassed(context, address); }
  }
  if (isWait(action)) {
    if (!over && stuck_.warp == kNone) {
      stuck_ = {warp.index(), lane, static_cast<std::uint32_t>(&node - decoded_.nodes.data()), address};
    }
    return over;
  }
  lanesOf<std::uint32_t>(warp, node.result)[lane] = over ? 1 : 0;
  return true;
}

void BlockRunner::endPhase(std::uint64_t address, MemoryBarrier& barrier) {
  if (barrier.arrived != barrier.count) { return; }
  for (RunningWarp& issuer : warps_) {
    bool any = false;
    issuer.copies.arriveAt(address, [&](const MemoryAccess& store, std::uint32_t copy) {
      land(issuer, store, copy);
      any = true;
      if (!decoded_.program->code[store.instruction].bulk) { return; }
      barrier.copiedBytes += std::int64_t{std::popcount(store.lanes)} * sizeInMemory(store.element);
    });
    if (any) { signalled(issuer, address, /*copies=*/true); }
  }
  if (barrier.isComplete()) { barrier.beginNextPhase(); }
}

bool BlockRunner::isOfBarriers(std::uint64_t address) const {
  constexpr std::int64_t kBytes = 8;
  const ObjectId object = PackedPointer::object(address);
  if (object >= decoded_.program->objects.size() || context_.objects[object].space != MemorySpace::Shared) {
    return false;
  }
  const std::int64_t offset = PackedPointer::byteOffset(address);
  return offset >= 0 && offset % kBytes == 0 &&
         offset + kBytes <= static_cast<std::int64_t>(context_.objects[object].bytes);
}

std::string BlockRunner::nameOf(std::uint64_t address) const {
  const ObjectId object = PackedPointer::object(address);
  if (object >= decoded_.program->objects.size()) { return tr("a pointer to nothing"); }
  const MemoryObject& memory = decoded_.program->objects[object];
  const std::int64_t offset = PackedPointer::byteOffset(address);
  if (offset == 0 && memory.extents.empty()) { return memory.name; }
  const int size = sizeInMemory(memory.element);
  return offset % size == 0 ? fmt::format("{}[{}]", memory.name, offset / size)
                            : trf("byte {} of {}", offset, memory.name);
}

bool BlockRunner::fail(const Node& node, const std::string& message) {
  const SourceRange& where = decoded_.program->code[node.firstInstruction].range;
  failure_ = {Outcome::Endless, trf("{}, at {}", message, placeText(where)), where};
  return false;
}

void BlockRunner::reportStuck() {
  if (stuck_.warp == kNone) { return; }
  const Node& node = decoded_.nodes[stuck_.node];
  const MemoryBarrier& barrier = memoryBarriers_[stuck_.address];
  const std::string bytes =
      barrier.expectedBytes == 0 && barrier.copiedBytes == 0
          ? std::string()
          : trf(" and {} of the {} bytes that it expects", barrier.copiedBytes, barrier.expectedBytes);
  const std::string why = barrier.arrived < barrier.count ? tr("let as many threads arrive as it was initialised for")
                          : barrier.copiedBytes == barrier.expectedBytes
                              ? tr("the phase that it waits for never begins")
                              : tr("let it expect as many bytes as are copied");
  fail(node, trf("thread {} of {} waits for ever: phase {} of the barrier {} has had {} of {} arrivals{}, and all "
                 "other threads wait or have ended; {}",
                 text(warps_[stuck_.warp].threadIdx(stuck_.lane)), describeBlock(), barrier.phase,
                 nameOf(stuck_.address), barrier.arrived, barrier.count, bytes, why));
}

}  // namespace haloscope::simt
