#include "recording/LogActions.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "language/Text.h"
#include "program/AsyncCopies.h"
#include "program/Shuffle.h"
#include "recording/LogValues.h"

namespace haloscope::recording {

void LogShuffles::argument(std::uint32_t lane, std::uint32_t instruction, std::uint32_t field, std::uint32_t value) {
  auto call = std::ranges::find(calls_, instruction, &Call::instruction);
  if (call == calls_.end()) { call = calls_.insert(call, {.instruction = instruction, .lanes = 0, .arguments = {}}); }
  call->lanes |= LaneMask{1} << lane;
  call->arguments[lane][field] = value;
}

void LogShuffles::resolve(const Program& program, std::vector<WarpShuffle>& to) const {
  for (const Call& call : calls_) {
    const ShuffleMode mode = ShuffleMode::unpack(program.code[call.instruction].aux);
    for (LaneMask rest = call.lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const auto [operand, given] = call.arguments[static_cast<std::size_t>(lane)];
      const int width = mode.width == ShuffleMode::kInOperand ? static_cast<int>(given) : mode.width;
      if (!ShuffleOperand::isWidth(width)) { continue; }
      const int from = shuffleSource(mode.kind, width, lane, operand) & (kWarpSize - 1);
      if ((call.lanes >> from & 1U) == 0) { continue; }
      to.push_back({call.instruction, static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(from)});
    }
  }
}

LogActions::LogActions(const Program& program, const Program& placed, const std::vector<LogSite>& sites,
                       const ProgramPlaces& places)
    : program_(program),
      placed_(placed),
      sites_(sites),
      places_(places),
      loads_(loadsOfCopies(program)),
      copies_(program.code.size()) {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    if (program.code[i].async) { copies_[i] = true; }
    if (loads_[i] != kNone) { copies_[loads_[i]] = true; }
  }
}

/// The instructions of a unit that are wanted: those of the library's function alone, if it has any.
template <typename Wanted>
std::vector<std::uint32_t> LogActions::doneBy(std::uint32_t begin, const Wanted& wanted) const {
  std::vector<std::uint32_t> all, here;
  for (std::uint32_t i = begin; i < places_.end(begin); ++i) {
    if (!wanted(program_.code[i])) { continue; }
    all.push_back(i);
    if (library_ != kNone && isWithin(placed_.code[i].range, sites_[library_].range)) { here.push_back(i); }
  }
  if (all.empty()) { throw unknownAccess(library_ == kNone ? LogSite{} : sites_[library_]); }
  return here.empty() ? all : here;
}

std::optional<WarpAction> LogActions::action(std::uint32_t lane, std::uint32_t begin, const LogEntry& entry) const {
  const auto which = static_cast<LogPrimitive>(entry.site);
  const std::span<const std::uint32_t> payload = entry.payload;
  if (which == LogPrimitive::Map) { return std::nullopt; }
  const bool ofBarrier = which >= LogPrimitive::MemoryBarrier;
  const bool bulk = which == LogPrimitive::BulkCommit || which == LogPrimitive::BulkWait;
  const auto wanted = [&](const Instruction& one) {
    if (ofBarrier) {
      const std::uint32_t did = entry.site - static_cast<std::uint32_t>(LogPrimitive::MemoryBarrier);
      return one.op == Opcode::MemoryBarrier && one.aux == did;
    }
    if (which == LogPrimitive::Wait || which == LogPrimitive::BulkWait) {
      return one.op == Opcode::CopyWait && one.bulk == bulk;
    }
    const bool named = one.a != kNone;
    return one.op == Opcode::CopyCommit && named == (which == LogPrimitive::CommitTo) && (named || one.bulk == bulk);
  };
  WarpAction action{.instruction = doneBy(begin, wanted).front(), .lane = lane};
  const auto has = [&](std::size_t words) {
    if (payload.size() != words) { throw LogError(tr("an entry of a copy or barrier has the wrong length")); }
  };
  if (ofBarrier) {
    has(7);
    action.operand = word64(payload, 2);
    action.bytes = payload[4];
    action.result = word64(payload, 5);
  } else if (which == LogPrimitive::Wait || which == LogPrimitive::BulkWait) {
    has(1);
    action.operand = payload[0];
  } else if (which == LogPrimitive::CommitTo) {
    has(2);
  }
  if (payload.size() > 1) { action.barrier = word64(payload, 0); }
  return action;
}

std::vector<CopyPart> LogActions::parts(std::uint32_t begin, const LogEntry& entry) const {
  constexpr std::size_t kHead = 6;
  const std::span<const std::uint32_t> payload = entry.payload;
  // One of zeros alone is as short as any other.
  if (payload.size() < kHead || payload[4] > (kLogPayloadMask - kHead) * sizeof payload[0]) {
    throw LogError(tr("an entry of a copy or barrier has the wrong length"));
  }
  const std::uint64_t to = word64(payload, 0), from = word64(payload, 2);
  const std::uint32_t bytes = payload[4], copied = bytes - std::min(bytes, payload[5]);
  const std::span<const std::byte> values = std::as_bytes(payload.subspan(kHead));
  const std::vector<std::uint32_t> stores = doneBy(begin, [](const Instruction& one) { return one.async; });
  const auto size = static_cast<std::uint32_t>(sizeInMemory(program_.code[stores.front()].type));
  std::vector<CopyPart> parts;
  parts.reserve(bytes / size);
  for (std::uint32_t at = 0; at < bytes; at += size) {
    CopyPart part{.store = stores[at / size % stores.size()], .to = to + at, .from = from + at};
    if (at < copied) {
      if (at + size > values.size()) { throw LogError(tr("an entry of a copy or barrier has the wrong length")); }
      part.load = loads_[part.store];
      std::memcpy(&part.bits, values.data() + at, size);
    }
    parts.push_back(part);
  }
  return parts;
}

}  // namespace haloscope::recording
