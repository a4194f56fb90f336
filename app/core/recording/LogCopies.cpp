#include "recording/LogCopies.h"

#include <algorithm>
#include <bit>

#include "language/Text.h"

namespace haloscope::recording {

namespace {

constexpr int kBarrierBytes = 8;

}  // namespace

LogCopies::LogCopies(const Program& program, RecordingBuilder& builder, std::uint32_t warps)
    : program_(program), builder_(builder), copies_(warps), bulkStores_(warps), assigned_(program.registers.size()) {
  for (const Instruction& instruction : program.code) {
    if (instruction.op == Opcode::Assign) { assigned_[instruction.dst].push_back(instruction.a); }
  }
}

void LogCopies::issue(IssuedCopy copy) {
  const AccessGroup& access = copy.access;
  const bool toGlobal = access.space == MemorySpace::Global;
  AsyncCopies<IssuedCopy>& copies = (toGlobal ? bulkStores_ : copies_)[access.warp];
  if (copies.isFull()) { throw LogError(tr("nothing waits for its asynchronous copies")); }
  for (LaneMask rest = copy.lanes; rest != 0 && !toGlobal; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    copy.number[lane] = builder_.issue(access.object, program_.code[access.instruction].type, copy.element[lane],
                                       access.warp * kWarpSize + lane);
  }
  copies.issue(copy);
  if (toGlobal) { land(copy); }  // shown when it is issued as well
}

bool LogCopies::act(std::uint32_t warp, std::span<const WarpAction> actions, const LogPlaces& places) {
  const Instruction& instruction = program_.code[actions.front().instruction];
  if (instruction.op == Opcode::MemoryBarrier) {
    return std::ranges::all_of(actions, [&](const WarpAction& one) { return useBarrier(warp, one, places); });
  }
  LaneMask lanes = 0;
  std::array<std::uint64_t, kWarpSize> barriers{};
  std::array<std::uint32_t, kWarpSize> remaining{};
  for (const WarpAction& one : actions) {
    lanes |= LaneMask{1} << one.lane;
    barriers[one.lane] = one.barrier;
    remaining[one.lane] = static_cast<std::uint32_t>(one.operand);
  }
  const bool named = instruction.a != kNone;
  if (instruction.op == Opcode::CopyCommit) {
    (instruction.bulk && !named ? bulkStores_ : copies_)[warp].commit(lanes, named ? barriers.data() : nullptr);
  } else {
    (instruction.bulk ? bulkStores_ : copies_)[warp].wait(lanes, remaining.data(),
                                                          [&](const IssuedCopy& copy, std::uint32_t) { land(copy); });
  }
  return true;
}

bool LogCopies::useBarrier(std::uint32_t warp, const WarpAction& action, const LogPlaces& places) {
  const std::uint32_t thread = warp * kWarpSize + action.lane;
  const MemoryBarrierAction did = memoryBarrierAction(program_.code[action.instruction]);
  const auto arrivals = static_cast<std::uint32_t>(action.operand);
  if (did == MemoryBarrierAction::Initialise) {
    barriers_[action.barrier] = {.count = arrivals};
    return true;
  }
  const auto found = barriers_.find(action.barrier);
  if (found == barriers_.end()) { throw LogError(tr("a barrier is used before it is initialised")); }
  MemoryBarrier& barrier = found->second;
  switch (did) {
    case MemoryBarrierAction::Invalidate:
      barriers_.erase(found);
      return true;
    case MemoryBarrierAction::Expect:
      barrier.expectedBytes += action.bytes;
      return true;
    case MemoryBarrierAction::Arrive:
    case MemoryBarrierAction::ArriveDrop:
      if (barrier.arrived == barrier.count) { endPhase(action.barrier, barrier, thread, places); }
      barrier.expectedBytes += action.bytes;
      barrier.arrived += arrivals;
      if (did == MemoryBarrierAction::ArriveDrop) { barrier.dropped += arrivals; }
      phases_[{thread, action.barrier, action.result}] = barrier.phase;
      if (const RegisterId token = program_.code[action.instruction].dst; token != kNone) {
        tokens_[{thread, token}] = {action.result, barrier.phase};
      }
      return true;
    default:
      break;
  }
  const bool asked = !isWait(did);
  if (asked && action.result == 0) { return true; }
  const bool byParity = did == MemoryBarrierAction::AskParity || did == MemoryBarrierAction::AwaitParity;
  const auto arrived = phases_.find({thread, action.barrier, action.operand});
  const std::uint64_t wanted = byParity                   ? action.operand & 1U
                               : arrived != phases_.end() ? arrived->second
                                                          : action.operand;
  const auto isOver = [&] { return (byParity ? barrier.phase & 1U : barrier.phase) != wanted; };
  if (!isOver()) { endPhase(action.barrier, barrier, thread, places); }
  return isOver();
}

const LogCopies::Token* LogCopies::tokenIn(std::uint32_t thread, RegisterId reg, std::uint64_t bits, int way) const {
  constexpr int kLongestWay = 8;  // assignments that a token is followed through
  const auto found = tokens_.find({thread, reg});
  if (found != tokens_.end()) { return found->second.bits == bits ? &found->second : nullptr; }
  if (program_.registers[reg].kind != RegisterKind::Temporary) { return nullptr; }
  for (const RegisterId from : assigned_[reg]) {
    if (const Token* token = way < kLongestWay ? tokenIn(thread, from, bits, way + 1) : nullptr) { return token; }
  }
  return nullptr;
}

std::uint64_t LogCopies::written(std::uint32_t thread, std::uint32_t instruction, std::uint64_t bits) {
  const Instruction& wrote = program_.code[instruction];
  if (wrote.op != Opcode::Assign && wrote.op != Opcode::MemoryBarrier) { return bits; }
  const Token* token = tokenIn(thread, wrote.op == Opcode::Assign ? wrote.a : wrote.dst, bits, 0);
  if (token == nullptr) {
    tokens_.erase({thread, wrote.dst});
    return bits;
  }
  const Token held = *token;
  tokens_[{thread, wrote.dst}] = held;
  return held.phase;
}

void LogCopies::endPhase(std::uint64_t address, MemoryBarrier& barrier, std::uint32_t thread, const LogPlaces& places) {
  if (barrier.arrived != barrier.count) { return; }
  const auto place = places.element(thread, address, kBarrierBytes);
  for (AsyncCopies<IssuedCopy>& copies : copies_) {
    copies.arriveAt(address, [&](const IssuedCopy& copy, std::uint32_t) {
      land(copy);
      if (program_.code[copy.access.instruction].bulk) {
        const int size = sizeInMemory(program_.code[copy.access.instruction].type);
        barrier.copiedBytes += std::int64_t{std::popcount(copy.lanes)} * size;
      }
      for (LaneMask rest = place ? copy.lanes : 0; rest != 0; rest &= rest - 1) {
        const std::int64_t index = place->byteOffset / sizeInMemory(program_.objects[place->object].element);
        builder_.setBarrier(copy.number[static_cast<std::size_t>(std::countr_zero(rest))], place->object, index);
      }
    });
  }
  if (barrier.isComplete()) { barrier.beginNextPhase(); }
}

bool LogCopies::storesInBulk() const {
  return std::ranges::any_of(bulkStores_, [](const AsyncCopies<IssuedCopy>& one) { return !one.isEmpty(); });
}

void LogCopies::landBulkStores() {
  for (AsyncCopies<IssuedCopy>& copies : bulkStores_) {
    copies.arriveAll([&](const IssuedCopy& copy, std::uint32_t) { land(copy); });
  }
}

void LogCopies::land(const IssuedCopy& copy) {
  AccessGroup group = copy.access;
  group.lanes = copy.lanes;
  builder_.access(group, copy.element, copy.value);
  for (LaneMask rest = copy.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    builder_.store({.id = group.object,
                    .index = copy.element[lane],
                    .bits = copy.value[lane],
                    .origin = copy.from[lane].origin,
                    .thread = group.warp * kWarpSize + lane,
                    .copiedFrom = copy.from[lane].copiedFrom,
                    .copiedId = copy.from[lane].copiedId},
                   program_.code[group.instruction].type);
    if (group.space != MemorySpace::Global) { builder_.arrive(copy.number[lane]); }
  }
}

}  // namespace haloscope::recording
