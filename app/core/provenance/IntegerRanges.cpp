#include "provenance/IntegerRanges.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <map>
#include <utility>

#include "provenance/Interval.h"
#include "provenance/LaunchRanges.h"
#include "provenance/LoopTurns.h"

namespace haloscope::provenance {

namespace {

/// What the active lanes' registers hold at a place of the code.
struct State {
  bool reached = true;
  std::vector<Interval> values;  ///< by slot, see CarriedRegisters

  void join(const State& other) {
    if (!other.reached) { return; }
    if (!reached) {
      *this = other;
      return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) { values[i] = joined(values[i], other.values[i]); }
  }
};

/// Thrown where following the intervals takes too long.
struct TooLong {};

class Interpreter {
 public:
  Interpreter(const Program& program, const Launch& launch, std::vector<bool>& overflows)
      : program_(program),
        code_(program.code),
        launch_(launch),
        overflows_(overflows),
        carried_(program),
        computedAt_(program.registers.size(), kNone),
        writtenAt_(program.registers.size(), 0) {
    findEnds();
  }

  void run() {
    State state = begin();
    follow(state, 0, static_cast<std::uint32_t>(code_.size()));
  }

 private:
  /// A loop or switch, or a call, that is being followed: what leaves it early.
  struct Around {
    bool isLoop = false;  ///< else a switch or a call
    bool isCall = false;
    State left;       ///< by break, a failed test, or return
    State continued;  ///< by continue
  };

  void findEnds() {
    ends_.assign(code_.size(), kNone);
    backs_.assign(code_.size(), kNone);
    std::vector<std::uint32_t> open;
    for (std::uint32_t at = 0; at < code_.size(); ++at) {
      const Opcode op = code_[at].op;
      if (op == Opcode::Loop || op == Opcode::Call) { open.push_back(at); }
      if (op == Opcode::LoopBack) { backs_[open.back()] = at; }
      if (op == Opcode::EndLoop || op == Opcode::EndCall) {
        ends_[open.back()] = at;
        open.pop_back();
      }
    }
  }

  [[nodiscard]] Interval& valueOf(State& state, RegisterId reg) {
    return carried_.slot[reg] == kNone ? others_[reg] : state.values[carried_.slot[reg]];
  }
  [[nodiscard]] const Interval& valueOf(const State& state, RegisterId reg) const {
    return carried_.slot[reg] == kNone ? others_[reg] : state.values[carried_.slot[reg]];
  }

  [[nodiscard]] State begin() {
    for (const Register& reg : program_.registers) {
      others_.push_back(isInteger(reg.type) ? rangeAtLaunch(reg, launch_.configuration) : Interval{});
    }
    State state;
    for (const RegisterId reg : carried_.registers) { state.values.push_back(others_[reg]); }
    for (std::size_t i = 0; i < program_.parameters.size() && i < launch_.arguments.size(); ++i) {
      const Parameter& parameter = program_.parameters[i];
      if (parameter.variable == kNone || !isInteger(parameter.type)) { continue; }
      const RegisterId reg = program_.variables[parameter.variable].reg;
      if (reg != kNone) { valueOf(state, reg) = constantRange(parameter.type, launch_.arguments[i]); }
    }
    return state;
  }

  // --- control flow

  void spend(std::size_t work) {
    constexpr std::size_t kMost = 400'000'000;  // about a second
    work_ += work;
    if (work_ > kMost) { throw TooLong{}; }
  }
  [[nodiscard]] State copyOf(const State& state) {
    spend(state.values.size());
    return state;
  }
  void join(State& into, const State& from) {
    spend(into.values.size());
    into.join(from);
  }
  [[nodiscard]] static State nowhere() { return {.reached = false, .values = {}}; }

  void follow(State& state, std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t at = first; at < end; ++at) {
      spend(1);
      const Instruction& code = code_[at];
      switch (code.op) {
        case Opcode::If:
          at = branch(state, at);
          break;
        case Opcode::Loop:
          backs_[at] == kNone ? once(state, at) : loop(state, at);
          at = ends_[at];
          break;
        case Opcode::Call:
          around_.push_back({.isCall = true, .left = nowhere(), .continued = nowhere()});
          follow(state, at + 1, ends_[at]);
          join(state, around_.back().left);
          around_.pop_back();
          at = ends_[at];
          break;
        case Opcode::LoopTest: {
          State leaves = copyOf(state);
          assumeAt(at, leaves, false);
          join(around_.back().left, leaves);
          assumeAt(at, state, true);
          break;
        }
        case Opcode::LoopNext:
          join(state, around_.back().continued);
          around_.back().continued = nowhere();
          break;
        case Opcode::Break:
          leave(state, [](const Around& one) { return !one.isCall; }, &Around::left);
          break;
        case Opcode::Continue:
          leave(state, [](const Around& one) { return one.isLoop; }, &Around::continued);
          break;
        case Opcode::Return:
          leave(state, [](const Around& one) { return one.isCall; }, &Around::left);
          break;
        default:
          if (state.reached) { compute(state, at); }
          break;
      }
    }
  }

  template <typename Wanted>
  void leave(State& state, const Wanted& wanted, State Around::* where) {
    const auto target = std::find_if(around_.rbegin(), around_.rend(), wanted);
    if (target != around_.rend()) { join((*target).*where, state); }
    state.reached = false;
  }

  /// Returns the place of the EndIf.
  std::uint32_t branch(State& state, std::uint32_t at) {
    const std::uint32_t target = code_[at].target;
    const bool hasElse = code_[target].op == Opcode::Else;
    const std::uint32_t end = hasElse ? code_[target].target : target;
    State other = copyOf(state);
    assumeAt(at, state, true);
    assumeAt(at, other, false);
    follow(state, at + 1, target);
    if (hasElse) { follow(other, target + 1, end); }
    join(state, other);
    return end;
  }

  void once(State& state, std::uint32_t at) {
    around_.push_back({.left = nowhere(), .continued = nowhere()});
    follow(state, at + 1, ends_[at]);
    join(state, around_.back().left);
    around_.pop_back();
  }

  /// One turn from `head`, which becomes what the next begins with; returns what leaves the loop.
  State turn(State& head, std::uint32_t at) {
    around_.push_back({.isLoop = true, .left = nowhere(), .continued = nowhere()});
    follow(head, at + 1, backs_[at]);
    State left = std::move(around_.back().left);
    around_.pop_back();
    return left;
  }

  void loop(State& state, std::uint32_t at) {
    if (!state.reached) { return; }
    const bool noting = std::exchange(noting_, false);
    State head = copyOf(state);
    constexpr int kPatience = 2;    // turns after which bounds that still move are given up
    constexpr int kNarrowings = 2;  // turns in which the loop's conditions restore them
    constexpr int kMostTurns = 50;
    for (int count = 0;; ++count) {
      if (count > kMostTurns) { throw TooLong{}; }
      State next = copyOf(head);
      turn(next, at);
      join(next, state);
      if (isWithin(next, head)) { break; }
      join(head, next);
      if (count >= kPatience) { widen(head, next, state); }
    }
    boundByTurns(head, state, at);
    for (int count = 0; count < kNarrowings; ++count) {
      State next = copyOf(head);
      turn(next, at);
      join(next, state);
      head = std::move(next);
    }
    noting_ = noting;
    State left = turn(head, at);
    state = std::move(left);
    if (state.values.empty()) { state.values.resize(carried_.registers.size()); }
  }

  [[nodiscard]] static bool isWithin(const State& inner, const State& outer) {
    if (!inner.reached) { return true; }
    for (std::size_t i = 0; i < inner.values.size(); ++i) {
      if (!inner.values[i].within(outer.values[i])) { return false; }
    }
    return true;
  }

  /// Ends that are not those with which the loop began move as far as their types allow.
  void widen(State& head, const State& next, const State& before) {
    for (std::size_t slot = 0; slot < head.values.size() && next.reached; ++slot) {
      const ValueType type = program_.registers[carried_.registers[slot]].type;
      Interval& value = head.values[slot];
      if (value.low < before.values[slot].low) { value.low = lowestBelow(value.low, type); }
      if (value.high > before.values[slot].high) { value.high = highestAbove(value.high, type); }
    }
  }

  /// Variables that each turn adds something to are bounded by the number of turns.
  void boundByTurns(State& head, const State& before, std::uint32_t at) {
    std::vector<RegisterId> unbounded;
    for (std::size_t slot = 0; slot < head.values.size(); ++slot) {
      const Register& reg = program_.registers[carried_.registers[slot]];
      if (LoopTurns::isUnbounded(reg, head.values[slot], before.values[slot])) {
        unbounded.push_back(carried_.registers[slot]);
      }
    }
    if (unbounded.empty()) { return; }
    // A loop around this one is noting its own operands.
    OperandRanges outer = std::exchange(operands_, {});
    const bool outerNotes = std::exchange(noteOperands_, true);
    State next = copyOf(head);
    turn(next, at);
    noteOperands_ = outerNotes;
    const auto held = [&](RegisterId reg) { return valueOf(before, reg); };
    const LoopTurns turns(program_, at, backs_[at], held, operands_);
    for (const RegisterId reg : unbounded) {
      if (const auto bounded = turns.bounded(reg)) { valueOf(head, reg) = *bounded; }
    }
    operands_ = std::move(outer);
  }

  // --- conditions

  /// The outcome of the If or LoopTest at `at`.
  void assumeAt(std::uint32_t at, State& state, bool outcome) {
    run_ = carried_.run[at];
    assume(state, code_[at].a, outcome);
  }

  /// Restricts what the registers hold to where a condition has this outcome.
  void assume(State& state, RegisterId condition, bool outcome) {
    if (!state.reached || condition == kNone) { return; }
    if (program_.registers[condition].kind == RegisterKind::Constant) {
      state.reached = (program_.registers[condition].bits != 0) == outcome;
      return;
    }
    const std::uint32_t at = computedAt_[condition];
    if (at == kNone) { return; }
    const Instruction& code = code_[at];
    if (code.dst != condition) { return; }
    // An operand that was written since, perhaps by this instruction, is another value.
    const auto assumeOperand = [&](RegisterId operand, bool value) {
      if (writtenAt_[operand] < computedTurn_[at]) { assume(state, operand, value); }
    };
    const bool both = code.op == Opcode::And ? outcome : code.op == Opcode::Or && !outcome;
    if (code.type == ValueType::Bool && both) {
      assumeOperand(code.a, outcome);
      assumeOperand(code.b, outcome);
      return;
    }
    if (code.op == Opcode::LogicalNot) { return assumeOperand(code.a, !outcome); }
    const auto relation = relationOf(code.op);
    if (!relation || !isInteger(code.type)) { return; }
    // What is one value for all states is that of the run that ends here.
    const auto isKnown = [&](RegisterId reg) {
      return carried_.slot[reg] != kNone || program_.registers[reg].kind != RegisterKind::Temporary ||
             carried_.run[at] == run_;
    };
    if (!isKnown(code.a) || !isKnown(code.b)) { return; }
    Interval a = read(state, code.a, code.type), b = read(state, code.b, code.type);
    restrict(outcome ? *relation : opposite(*relation), a, b);
    if (a.low > a.high || b.low > b.high) {
      state.reached = false;
      return;
    }
    keep(state, code.a, a, at);
    keep(state, code.b, b, at);
  }

  /// Notes what is known of a register, unless it was written since the instruction that found it.
  void keep(State& state, RegisterId reg, const Interval& value, std::uint32_t foundAt) {
    const bool fits = value.within(rangeOf(program_.registers[reg].type));
    const bool changed = writtenAt_[reg] >= computedTurn_[foundAt];
    if (fits && !changed && carried_.slot[reg] != kNone) { valueOf(state, reg) = value; }
  }

  // --- values

  void compute(State& state, std::uint32_t at) {
    const Instruction& code = code_[at];
    if (code.dst == kNone) { return; }
    const ValueType held = program_.registers[code.dst].type;
    if (noteOperands_ && code.b != kNone && isInteger(code.type)) { noteOperands(state, at); }
    if (!isInteger(held)) { return; }  // no condition of integers depends on it
    ++turn_;
    valueOf(state, code.dst) = result(state, at, held);
    computedAt_[code.dst] = at;
    if (computedTurn_.size() < code_.size()) { computedTurn_.resize(code_.size()); }
    computedTurn_[at] = turn_;
    writtenAt_[code.dst] = turn_;
  }

  void noteOperands(const State& state, std::uint32_t at) {
    const Instruction& code = code_[at];
    const Interval a = read(state, code.a, code.type), b = read(state, code.b, code.type);
    const auto [known, added] = operands_.try_emplace(at, a, b);
    if (!added) { known->second = {joined(known->second.first, a), joined(known->second.second, b)}; }
  }

  [[nodiscard]] Interval read(const State& state, RegisterId reg, ValueType type) const {
    return isInteger(program_.registers[reg].type) ? readAs(valueOf(state, reg), type) : rangeOf(type);
  }

  Interval result(const State& state, std::uint32_t at, ValueType held) {
    const Instruction& code = code_[at];
    const ValueType type = code.type;
    const Interval whole = rangeOf(held);
    switch (code.op) {
      case Opcode::Add:
      case Opcode::Sub:
      case Opcode::Mul:
        return arithmetic(state, at, held);
      case Opcode::Negate: {
        const Interval a = read(state, code.a, type);
        const Interval exact = around(-Wide{a.low}, -Wide{a.high});
        return exact.within(rangeOf(type)) || type == ValueType::U32 ? exact : rangeOf(type);
      }
      case Opcode::Div:
        return quotient(read(state, code.a, type), read(state, code.b, type), type);
      case Opcode::Rem:
        return remainder(read(state, code.a, type), read(state, code.b, type), type);
      case Opcode::And: {
        const Interval a = read(state, code.a, type), b = read(state, code.b, type);
        if (a.low >= 0 && b.low >= 0) { return {0, std::min(a.high, b.high)}; }
        if (a.low >= 0 || b.low >= 0) { return {0, a.low >= 0 ? a.high : b.high}; }
        return rangeOf(type);
      }
      case Opcode::Or:
      case Opcode::Xor: {
        const Interval a = read(state, code.a, type), b = read(state, code.b, type);
        if (a.low < 0 || b.low < 0) { return rangeOf(type); }
        const auto most = static_cast<std::uint64_t>(std::max(a.high, b.high));
        return {0, clamped((Wide{1} << std::bit_width(most)) - 1)};
      }
      case Opcode::Shl: {
        const Interval by = read(state, code.b, program_.registers[code.b].type);
        if (by.low != by.high || by.low < 0 || by.low > 31) { return rangeOf(type); }
        const std::int64_t factor = std::int64_t{1} << by.low;
        const Interval exact = product(read(state, code.a, type), {factor, factor});
        return exact.within(rangeOf(type)) ? exact : rangeOf(type);
      }
      case Opcode::Shr: {
        const Interval a = read(state, code.a, type), by = read(state, code.b, program_.registers[code.b].type);
        if (a.low < 0 || by.low < 0 || by.high > 62) { return a.low < 0 ? joined(a, {-1, -1}) : Interval{0, a.high}; }
        return {a.low >> by.high, a.high >> by.low};
      }
      case Opcode::Assign:
      case Opcode::Convert: {
        const ValueType from = program_.registers[code.a].type;
        if (!isInteger(from)) { return whole; }
        if (sizeInMemory(held) == 4 && sizeInMemory(from) == 4) {
          const Interval value = valueOf(state, code.a);
          if (from == ValueType::U32 && held == ValueType::I32 && noting_) { noteTooLarge(value, at); }
          return value;
        }
        return readAs(read(state, code.a, from), held);
      }
      case Opcode::Load:
        return code.aux == kNone ? whole : loaded(code.aux, held);
      case Opcode::Select:
        return joined(read(state, code.b, type), read(state, code.c, type));
      case Opcode::Math:
        return math(state, code);
      case Opcode::BarrierVote:
        return {0, barrierKind(code) == BarrierKind::Count ? std::int64_t{kMaxThreadsPerBlock} : 1};
      case Opcode::Shuffle:  // of a lane that has come the same way; what one gives that has not is a finding itself
        return read(state, code.a, held);
      case Opcode::Vote:
        return code.type == ValueType::I32 ? Interval{0, 1} : whole;
      default:
        return relationOf(code.op) || code.op == Opcode::LogicalNot ? Interval{0, 1} : whole;
    }
  }

  /// An element of constant memory, which nothing changes.
  Interval loaded(ObjectId object, ValueType held) {
    const MemoryObject& memory = program_.objects[object];
    if (memory.space != MemorySpace::Constant || memory.element != ValueType::I32) { return rangeOf(held); }
    const auto [known, added] = constants_.try_emplace(object, rangeOf(held));
    if (!added || object >= launch_.arrays.size()) { return known->second; }
    const std::vector<std::byte>& bytes = launch_.arrays[object].bytes;
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
      std::int32_t element = 0;
      std::memcpy(&element, bytes.data() + at, sizeof element);
      const Interval one{element, element};
      known->second = at == 0 ? one : joined(known->second, one);
    }
    return known->second;
  }

  /// A sum, difference or product. Unsigned ones wrap around, and mean the same read as signed.
  Interval arithmetic(const State& state, std::uint32_t at, ValueType held) {
    const Instruction& code = code_[at];
    const bool wraps = code.type == ValueType::U32;
    const auto operand = [&](RegisterId reg) { return wraps ? valueOf(state, reg) : read(state, reg, code.type); };
    const Interval a = operand(code.a), b = operand(code.b);
    Interval exact;
    if (code.op == Opcode::Add) { exact = {clamped(Wide{a.low} + b.low), clamped(Wide{a.high} + b.high)}; }
    if (code.op == Opcode::Sub) { exact = {clamped(Wide{a.low} - b.high), clamped(Wide{a.high} - b.low)}; }
    if (code.op == Opcode::Mul) { exact = product(a, b); }
    if (wraps) {
      // Beyond this, no type has the interval in one piece.
      return exact.within({-kWrap / 2, kWrap - 1}) ? exact : rangeOf(held);
    }
    const Interval whole = rangeOf(code.type);
    if (exact.within(whole)) { return exact; }
    if (code.type == ValueType::I32 && noting_) { overflows_[at] = true; }
    return whole;
  }

  /// An unsigned number that becomes an int: one that may as well have passed below zero says nothing.
  void noteTooLarge(const Interval& value, std::uint32_t at) {
    const bool known = value.low >= 0 && value.high < kWrap && value != rangeOf(ValueType::U32);
    if (known && value.high > rangeOf(ValueType::I32).high) { overflows_[at] = true; }
  }

  [[nodiscard]] Interval math(const State& state, const Instruction& code) const {
    if (!isInteger(code.type)) { return {}; }
    const Interval a = read(state, code.a, code.type);
    switch (static_cast<MathFunction>(code.aux)) {
      case MathFunction::Min: {
        const Interval b = read(state, code.b, code.type);
        return {std::min(a.low, b.low), std::min(a.high, b.high)};
      }
      case MathFunction::Max: {
        const Interval b = read(state, code.b, code.type);
        return {std::max(a.low, b.low), std::max(a.high, b.high)};
      }
      case MathFunction::Abs: {
        const Interval flipped = around(-Wide{a.low}, -Wide{a.high});
        return readAs(a.low >= 0 ? a
                                 : Interval{std::max<std::int64_t>(0, std::max(a.low, flipped.low)),
                                            std::max(a.high, flipped.high)},
                      code.type);
      }
      default:
        return rangeOf(code.type);
    }
  }

  const Program& program_;
  const std::vector<Instruction>& code_;
  const Launch& launch_;
  std::vector<bool>& overflows_;
  const CarriedRegisters carried_;
  std::vector<std::uint32_t> ends_;   ///< of a Loop or Call: the place of its end
  std::vector<std::uint32_t> backs_;  ///< of a Loop: the place of its LoopBack
  std::uint32_t run_ = 0;             ///< the one that ends with the condition that is being assumed
  std::vector<Interval> others_;      ///< per register: what those without a slot hold
  std::vector<Around> around_;
  std::map<ObjectId, Interval> constants_;
  bool noteOperands_ = false;
  OperandRanges operands_;  ///< of instructions in the turn just followed
  bool noting_ = true;      ///< false while a loop's intervals are still being found
  std::size_t work_ = 0;
  // What is known of a condition: the instruction that computed it, and whether its operands were written since.
  std::vector<std::uint32_t> computedAt_;    ///< per register
  std::vector<std::uint64_t> writtenAt_;     ///< per register: the value of turn_
  std::vector<std::uint64_t> computedTurn_;  ///< per instruction
  std::uint64_t turn_ = 0;
};

}  // namespace

IntegerRanges::IntegerRanges(const Program& program, const Launch& launch) : overflows_(program.code.size(), false) {
  try {
    Interpreter(program, launch, overflows_).run();
  } catch (const TooLong&) {
    for (std::size_t at = 0; at < program.code.size(); ++at) {
      const Opcode op = program.code[at].op;
      const bool arithmetic = op == Opcode::Add || op == Opcode::Sub || op == Opcode::Mul;
      overflows_[at] = arithmetic && program.code[at].type == ValueType::I32;
    }
  }
}

}  // namespace haloscope::provenance
