#include "simt/EndlessLoops.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

#include "simt/LiveRanges.h"
#include "simt/Structure.h"

namespace haloscope::simt {
namespace {

/// Memory that is compared again and again.
constexpr std::size_t kMostMemory = std::size_t{4} << 20U;
constexpr std::uint64_t kMostLooks = 1024;

/// The instructions of a loop, from its Loop to its EndLoop; none if the program has it twice.
std::optional<std::pair<std::uint32_t, std::uint32_t>> spanOf(const Program& program, std::uint32_t loop) {
  std::optional<std::pair<std::uint32_t, std::uint32_t>> found;
  std::vector<std::uint32_t> open;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].op == Opcode::Loop) { open.push_back(at); }
    if (program.code[at].op != Opcode::EndLoop) { continue; }
    const std::uint32_t begin = open.back();
    open.pop_back();
    if (program.code[begin].aux != loop) { continue; }
    if (found) { return std::nullopt; }
    found = {begin, at};
  }
  return found;
}

/// `x >= 0` and `0 <= x` of an unsigned x hold whatever it is.
bool alwaysHolds(const Program& program, const Instruction& code) {
  const RegisterId bound = code.op == Opcode::GreaterEqual ? code.b : code.op == Opcode::LessEqual ? code.a : kNone;
  return bound != kNone && program.registers[bound].kind == RegisterKind::Constant &&
         program.registers[bound].bits == 0 && !isFloating(code.type) && !isSigned(code.type);
}

bool isJump(Opcode op) {
  return op == Opcode::Break || op == Opcode::Continue || op == Opcode::Return || op == Opcode::Trap;
}

/// Whether the program may write an object, or a load does not say which it reads.
bool mayChange(const Program& program, std::uint32_t object) {
  return object == kNone || std::ranges::any_of(program.code, [&](const Instruction& one) {
           return (writesMemory(one.op) && (one.aux == object || one.aux == kNone)) || one.op == Opcode::MemoryBarrier;
         });
}

class ControlSearch {
 public:
  ControlSearch(const Program& program, std::uint32_t begin, std::uint32_t end)
      : program_(program), begin_(begin), end_(end) {}

  LoopControl find() {
    for (std::uint32_t at = begin_; at < end_; ++at) {
      const Instruction& code = program_.code[at];
      if (code.op == Opcode::LoopTest) { add(code.a, at); }
      if (isJump(code.op)) {
        add(code.a, at);
        addConditions(at);
      }
    }
    while (!waiting_.empty()) {
      const Value value = waiting_.back();
      waiting_.pop_back();
      for (std::uint32_t at = std::max(begin_, value.begin); at < std::min(end_, value.end); ++at) {
        if (program_.code[at].dst == value.reg) { addWrite(at); }
      }
    }
    return std::move(control_);
  }

 private:
  /// A register, and the instructions that write what it holds there: a temporary holds several values in turn.
  struct Value {
    RegisterId reg = kNone;
    std::uint32_t begin = 0, end = kNone;
    auto operator<=>(const Value&) const = default;
  };

  /// What a register holds when an instruction reads it.
  void add(RegisterId reg, std::uint32_t reader) {
    if (reg == kNone) { return; }
    Value value{.reg = reg};
    for (const LiveRange& range : ranges_) {
      if (range.reg == reg && range.firstUse < reader && reader <= std::max(range.lastUse, range.end)) {
        // Read before it is written: it comes from the turn before.
        if (program_.code[range.firstUse].dst != reg) { control_.known = false; }
        value.begin = range.firstUse;
        value.end = std::max(range.firstUse + 1, range.lastUse);
      }
    }
    if (found_.insert(value).second) { waiting_.push_back(value); }
  }

  /// Those of the branches that an instruction stands in.
  void addConditions(std::uint32_t instruction) {
    std::vector<std::uint32_t> open;
    for (std::uint32_t at = begin_; at < instruction; ++at) {
      const Instruction& code = program_.code[at];
      if (code.op == Opcode::If) { open.push_back(at); }
      if (code.op == Opcode::EndIf) { open.pop_back(); }
    }
    for (const std::uint32_t at : open) { add(program_.code[at].a, at); }
  }

  void addWrite(std::uint32_t at) {
    const Instruction& code = program_.code[at];
    const RegisterId written = code.dst;
    if (program_.registers[written].kind == RegisterKind::Variable &&
        std::ranges::find(control_.variables, written) == control_.variables.end()) {
      control_.variables.push_back(written);
    }
    addConditions(at);
    if (alwaysHolds(program_, code)) { return; }
    const bool computes = code.op <= Opcode::Assign || code.op == Opcode::Shuffle || code.op == Opcode::Vote;
    const bool asks = code.op == Opcode::MemoryBarrier || isAtomic(code.op);
    if (asks || (code.op == Opcode::Load && mayChange(program_, code.aux))) {
      control_.memory = true;
      const bool own = code.aux != kNone && program_.objects[code.aux].space == MemorySpace::Local;
      control_.shared = control_.shared || asks || !own;
    } else if (!computes && code.op != Opcode::Load) {
      control_.known = false;
    }
    for (const RegisterId operand : {code.a, code.b, code.c}) { add(operand, at); }
  }

  const Program& program_;
  std::uint32_t begin_, end_;
  LoopControl control_;
  std::vector<LiveRange> ranges_ = findLiveRanges(program_, Structure(program_));
  std::set<Value> found_;
  std::vector<Value> waiting_;
};

}  // namespace

LoopControl controlOf(const Program& program, std::uint32_t loop) {
  const auto span = spanOf(program, loop);
  if (!span) { return {.variables = {}, .known = false}; }
  return ControlSearch(program, span->first, span->second).find();
}

EndlessLoops::EndlessLoops(const DecodedProgram& decoded, BlockMemory& memory, std::size_t warps)
    : decoded_(decoded), memory_(memory), recurring_(warps) {}

std::vector<std::byte> EndlessLoops::registersOf(const RunningWarp& warp, const LoopControl& control) const {
  const RegisterLayout& layout = decoded_.layout;
  const std::byte* const own = warp.registers()[0];
  if (control.memory) { return {own + layout.variablesBegin, own + layout.variablesEnd}; }
  std::vector<std::byte> all;
  for (const RegisterId reg : control.variables) {
    const Operand operand = layout.operands[reg];
    const auto slot = std::ranges::find(layout.slots, operand, &RegisterLayout::Slot::operand);
    const std::byte* const at = own + operand;  // what is written is the warp's
    all.insert(all.end(), at, at + std::size_t{slot->laneBytes} * kWarpSize);
  }
  return all;
}

std::size_t EndlessLoops::memoryBytes() const {
  std::size_t bytes = memory_.localBytes();
  for (const ObjectView& object : memory_.objects()) { bytes += object.data != nullptr ? object.bytes : 0; }
  return bytes;
}

bool EndlessLoops::memoryIsAsItWas() const {
  const std::byte* at = kept_.data();
  const auto same = [&](const std::byte* data, std::size_t bytes) {
    const bool equal = bytes == 0 || std::memcmp(at, data, bytes) == 0;
    at += bytes;
    return equal;
  };
  if (!same(memory_.local(0), memory_.localBytes())) { return false; }
  return std::ranges::all_of(memory_.objects(), [&](const ObjectView& object) {
    return object.data == nullptr || same(object.data, static_cast<std::size_t>(object.bytes));
  });
}

void EndlessLoops::keepMemory() {
  ++moment_;
  kept_.clear();
  const auto keep = [&](const std::byte* data, std::size_t bytes) { kept_.insert(kept_.end(), data, data + bytes); };
  if (memory_.localBytes() > 0) { keep(memory_.local(0), memory_.localBytes()); }
  for (const ObjectView& object : memory_.objects()) {
    if (object.data != nullptr) { keep(object.data, static_cast<std::size_t>(object.bytes)); }
  }
  recurring_.assign(recurring_.size(), false);
}

bool EndlessLoops::recurs(const RunningWarp& warp, std::uint32_t loop, std::uint64_t turn,
                          std::span<const RunningWarp> warps) {
  auto control = controls_.find(loop);
  if (control == controls_.end()) {
    control = controls_.emplace(loop, controlOf(*decoded_.program, loop)).first;
    if (control->second.memory && memoryBytes() > kMostMemory) { control->second.known = false; }
  }
  if (!control->second.known) { return false; }
  const bool memory = control->second.memory;
  if (memory && looks_ > kMostLooks) { return false; }
  Seen& seen = seen_[{warp.index(), loop}];
  std::vector<std::byte> now = registersOf(warp, control->second);
  const bool entered = turn != seen.turn + 1;  // anew, or for the first time
  seen.turn = turn;
  const bool same = !entered && seen.active == warp.active() && seen.registers == now &&
                    (!memory || (seen.moment == moment_ && (++looks_, memoryIsAsItWas())));
  if (same) {
    if (!control->second.shared) { return true; }
    recurring_[warp.index()] = true;
    return std::ranges::all_of(
        warps, [&](const RunningWarp& one) { return one.finished || one.waiting || recurring_[one.index()]; });
  }
  if (!entered && ++seen.compared < seen.most) { return false; }
  seen.most = entered ? 1 : 2 * seen.most;
  seen.compared = 0;
  seen.active = warp.active();
  seen.registers = std::move(now);
  if (memory && (++looks_, moment_ == 0 || !memoryIsAsItWas())) { keepMemory(); }
  seen.moment = moment_;
  return false;
}

}  // namespace haloscope::simt
