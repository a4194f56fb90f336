#include "running/TouchedBytes.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "program/SourceLocation.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::running {

namespace {

constexpr std::uint64_t kBitsOfWord = 64;

bool isOutside(MemorySpace space) { return space == MemorySpace::Global || space == MemorySpace::Constant; }

bool mayBeOutside(const Program& program, const Instruction& access) {
  return access.aux == kNone || isOutside(program.objects[access.aux].space);
}

/// One bit for each unit of each array.
class TouchedUnits final : public simt::Observer {
 public:
  TouchedUnits(const Program& program, const Launch& launch)
      : program_(program), maps_(std::make_shared<std::vector<Maps>>(program.objects.size())) {
    // Elements of the smallest size that the code accesses do not share a bit.
    for (const Instruction& one : program.code) {
      if (!isAccess(one.op) || !mayBeOutside(program, one)) { continue; }
      const auto bytes = static_cast<std::uint64_t>(sizeInMemory(one.type));
      for (ObjectId object = 0; object < maps_->size(); ++object) {
        Maps& maps = (*maps_)[object];
        if (one.aux == kNone || one.aux == object) { maps.unit = std::min(maps.unit, bytes); }
      }
    }
    for (ObjectId object = 0; object < maps_->size(); ++object) {
      Maps& maps = (*maps_)[object];
      const std::uint64_t units = (launch.arrays[object].bytes.size() + maps.unit - 1) / maps.unit;
      maps.words = (units + kBitsOfWord - 1) / kBitsOfWord;
    }
    for (const Instruction& one : program.code) {
      if (!isAccess(one.op) || !mayBeOutside(program, one)) { continue; }
      for (ObjectId object = 0; object < maps_->size(); ++object) {
        if (one.aux != kNone && one.aux != object) { continue; }
        Maps& maps = (*maps_)[object];
        maps.bits[kindOf(one)].resize(maps.words);
      }
    }
  }

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    const Instruction& one = program_.code[instruction];
    return isAccess(one.op) && mayBeOutside(program_, one);
  }
  /// All workers mark the same bits.
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<TouchedUnits>(*this); }
  void join(Observer& /*worker*/) override {}

  void access(const simt::WarpContext& /*context*/, const simt::MemoryAccess& access) override {
    if (!isOutside(access.space)) { return; }
    Maps& maps = (*maps_)[access.object];
    std::vector<std::uint64_t>& bits = maps.bits[kindOf(program_.code[access.instruction])];
    const auto units = static_cast<std::uint64_t>(sizeInMemory(access.element)) / maps.unit;
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      const std::uint64_t first = static_cast<std::uint64_t>(access.index[lane]) * units;
      for (std::uint64_t unit = first; unit < first + units; ++unit) {
        std::atomic_ref<std::uint64_t> word(bits.at(unit / kBitsOfWord));
        const std::uint64_t bit = std::uint64_t{1} << (unit % kBitsOfWord);
        if ((word.load(std::memory_order_relaxed) & bit) == 0) { word.fetch_or(bit, std::memory_order_relaxed); }
      }
    }
  }

  [[nodiscard]] std::map<ObjectId, TouchedBytes> take() {
    std::map<ObjectId, TouchedBytes> all;
    for (ObjectId object = 0; object < maps_->size(); ++object) {
      Maps& maps = (*maps_)[object];
      if (!isOutside(program_.objects[object].space)) { continue; }
      const auto set = [&](Kind kind) { return ByteSet::units(maps.unit, std::move(maps.bits[kind])); };
      all[object] = {.reads = set(kRead), .writes = set(kWrite), .shared = set(kShared)};
    }
    return all;
  }

 private:
  enum Kind : std::uint8_t { kRead, kWrite, kShared };
  struct Maps {
    std::uint64_t unit = sizeof(std::uint64_t), words = 0;
    std::array<std::vector<std::uint64_t>, 3> bits;
  };
  static Kind kindOf(const Instruction& one) {
    if (isAtomic(one.op) || one.isVolatile) { return kShared; }
    return one.op == Opcode::Load ? kRead : kWrite;
  }

  const Program& program_;
  std::shared_ptr<std::vector<Maps>> maps_;
};

}  // namespace

bool touchesByArguments(const Program& program) {
  std::vector<bool> read(program.registers.size());  // comes from memory
  const auto isRead = [&](RegisterId reg) { return reg != kNone && read[reg]; };
  for (bool grows = true; grows;) {
    grows = false;
    for (const Instruction& one : program.code) {
      if (one.dst == kNone || read[one.dst]) { continue; }
      const bool fromMemory = readsMemory(one.op) || one.op == Opcode::MemoryBarrier;
      if (!fromMemory && one.op != Opcode::BarrierVote && !isRead(one.a) && !isRead(one.b) && !isRead(one.c)) {
        continue;
      }
      read[one.dst] = grows = true;
    }
  }
  return std::ranges::none_of(program.code, [&](const Instruction& one) {
    const bool decides = one.op == Opcode::If || one.op == Opcode::LoopTest || one.op == Opcode::Trap ||
                         (isAccess(one.op) && mayBeOutside(program, one));
    return decides && isRead(one.a);
  });
}

Touches touchesOf(const Program& program, Launch& launch, const TouchBudget& budget) {
  Touches touches;
  TouchedUnits units(program, launch);
  simt::ExecuteOptions options;
  options.workers = budget.workers;
  options.stop = budget.stop;
  options.launchBudget = budget.instructions;
  try {
    const simt::ExecuteResult result = simt::execute(program, launch, std::array<simt::Observer*, 1>{&units}, options);
    for (const std::uint64_t warps : result.profile.warps) { touches.instructions += warps; }
    if (result.outcome == simt::Outcome::Finished && result.outOfBounds == 0) { touches.objects = units.take(); }
  } catch (const InputError&) {
    return touches;  // it cannot be executed
  }
  return touches;
}

}  // namespace haloscope::running
