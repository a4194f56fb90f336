#include "provenance/IntegerRanges.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace haloscope::provenance {

namespace {

/// The values that an integer can have. Its 64-bit ends stand for anything beyond them, too.
struct Interval {
  std::int64_t low = 0, high = 0;

  bool operator==(const Interval&) const = default;
  [[nodiscard]] bool within(const Interval& other) const { return low >= other.low && high <= other.high; }
};

constexpr std::int64_t kBeyond = std::int64_t{1} << 62;
constexpr std::int64_t kWrap = std::int64_t{1} << 32;

__extension__ using Wide = __int128;

std::int64_t clamped(Wide value) { return static_cast<std::int64_t>(std::clamp<Wide>(value, -kBeyond, kBeyond)); }

Interval around(Wide a, Wide b) { return {clamped(std::min(a, b)), clamped(std::max(a, b))}; }

Interval joined(const Interval& a, const Interval& b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

bool isInteger(ValueType type) { return !isFloating(type) && type != ValueType::Pointer; }

Interval rangeOf(ValueType type) {
  if (type == ValueType::Bool) { return {0, 1}; }
  if (sizeInMemory(type) == 8) { return isSigned(type) ? Interval{-kBeyond, kBeyond} : Interval{0, kBeyond}; }
  const int bits = 8 * sizeInMemory(type);
  const std::int64_t count = std::int64_t{1} << bits;
  return isSigned(type) ? Interval{-count / 2, count / 2 - 1} : Interval{0, count - 1};
}

/// Where an interval that keeps growing ends, so that it does so soon.
std::int64_t lowestBelow(std::int64_t low, ValueType type) {
  const std::int64_t lowest = rangeOf(type).low;
  return low >= lowest || sizeInMemory(type) != 4 ? lowest : -kWrap / 2;
}
std::int64_t highestAbove(std::int64_t high, ValueType type) {
  const std::int64_t highest = rangeOf(type).high;
  return high <= highest || sizeInMemory(type) != 4 ? highest : kWrap - 1;
}

/// The same bits read as another type: an interval may move by what 32 bits wrap around by.
Interval readAs(const Interval& value, ValueType type) {
  const Interval whole = rangeOf(type);
  if (value.within(whole)) { return value; }
  if (sizeInMemory(type) == 4) {
    for (const std::int64_t by : {-kWrap, kWrap}) {
      const Interval moved{value.low + by, value.high + by};
      if (moved.within(whole)) { return moved; }
    }
  }
  return whole;
}

Interval product(const Interval& a, const Interval& b) {
  const Interval one = around(Wide{a.low} * b.low, Wide{a.low} * b.high);
  return joined(one, around(Wide{a.high} * b.low, Wide{a.high} * b.high));
}

/// Relations of two values. Each condition is one of them, or its opposite.
enum class Relation : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

std::optional<Relation> relationOf(Opcode op) {
  switch (op) {
    case Opcode::Equal:
      return Relation::Equal;
    case Opcode::NotEqual:
      return Relation::NotEqual;
    case Opcode::Less:
      return Relation::Less;
    case Opcode::LessEqual:
      return Relation::LessEqual;
    case Opcode::Greater:
      return Relation::Greater;
    case Opcode::GreaterEqual:
      return Relation::GreaterEqual;
    default:
      return std::nullopt;
  }
}

Relation opposite(Relation relation) {
  switch (relation) {
    case Relation::Equal:
      return Relation::NotEqual;
    case Relation::NotEqual:
      return Relation::Equal;
    case Relation::Less:
      return Relation::GreaterEqual;
    case Relation::LessEqual:
      return Relation::Greater;
    case Relation::Greater:
      return Relation::LessEqual;
    case Relation::GreaterEqual:
      return Relation::Less;
  }
  return relation;
}

/// What is left of two intervals where the relation holds; an interval with low > high: nothing.
void restrict(Relation relation, Interval& a, Interval& b) {
  switch (relation) {
    case Relation::Equal:
      a = b = {std::max(a.low, b.low), std::min(a.high, b.high)};
      break;
    case Relation::NotEqual:
      if (b.low == b.high && a.low == b.low) { ++a.low; }
      if (b.low == b.high && a.high == b.low) { --a.high; }
      break;
    case Relation::Less:
      a.high = std::min(a.high, b.high - 1);
      b.low = std::max(b.low, a.low + 1);
      break;
    case Relation::LessEqual:
      a.high = std::min(a.high, b.high);
      b.low = std::max(b.low, a.low);
      break;
    case Relation::Greater:
      restrict(Relation::Less, b, a);
      break;
    case Relation::GreaterEqual:
      restrict(Relation::LessEqual, b, a);
      break;
  }
}

/// What the active lanes' registers hold at a place of the code.
struct State {
  bool reached = true;
  std::vector<Interval> values;  ///< per register

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

  [[nodiscard]] State begin() const {
    State state;
    for (const Register& reg : program_.registers) {
      state.values.push_back(isInteger(reg.type) ? initial(reg) : Interval{});
    }
    for (std::size_t i = 0; i < program_.parameters.size() && i < launch_.arguments.size(); ++i) {
      const Parameter& parameter = program_.parameters[i];
      if (parameter.variable == kNone || !isInteger(parameter.type)) { continue; }
      const RegisterId reg = program_.variables[parameter.variable].reg;
      if (reg != kNone) { state.values[reg] = constant(parameter.type, launch_.arguments[i]); }
    }
    return state;
  }

  [[nodiscard]] Interval initial(const Register& reg) const {
    if (reg.kind == RegisterKind::Constant) { return constant(reg.type, reg.bits); }
    if (reg.kind != RegisterKind::Builtin) { return rangeOf(reg.type); }
    const Dim3& grid = launch_.configuration.grid;
    const Dim3& block = launch_.configuration.block;
    const auto upTo = [](std::uint32_t count) { return Interval{0, std::int64_t{count} - 1}; };
    const auto exactly = [](std::uint32_t count) { return Interval{count, count}; };
    switch (reg.builtin) {
      case Builtin::ThreadIdxX:
        return upTo(block.x);
      case Builtin::ThreadIdxY:
        return upTo(block.y);
      case Builtin::ThreadIdxZ:
        return upTo(block.z);
      case Builtin::BlockIdxX:
        return upTo(grid.x);
      case Builtin::BlockIdxY:
        return upTo(grid.y);
      case Builtin::BlockIdxZ:
        return upTo(grid.z);
      case Builtin::BlockDimX:
        return exactly(block.x);
      case Builtin::BlockDimY:
        return exactly(block.y);
      case Builtin::BlockDimZ:
        return exactly(block.z);
      case Builtin::GridDimX:
        return exactly(grid.x);
      case Builtin::GridDimY:
        return exactly(grid.y);
      case Builtin::GridDimZ:
        return exactly(grid.z);
    }
    return rangeOf(reg.type);
  }

  [[nodiscard]] static Interval constant(ValueType type, std::uint64_t bits) {
    std::int64_t value = 0;
    switch (type) {
      case ValueType::I64:
        value = static_cast<std::int64_t>(bits);
        break;
      case ValueType::U64:
        value = clamped(Wide{bits});
        break;
      case ValueType::U32:
      case ValueType::U16:
      case ValueType::U8:
      case ValueType::Bool:
        value = static_cast<std::uint32_t>(bits);
        break;
      default:
        value = static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
        break;
    }
    return {clamped(value), clamped(value)};
  }

  // --- control flow

  void spend(std::size_t work) {
    constexpr std::size_t kMost = 20'000'000;  // some 50 ms
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
          assume(leaves, code.a, false);
          join(around_.back().left, leaves);
          assume(state, code.a, true);
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
    assume(state, code_[at].a, true);
    assume(other, code_[at].a, false);
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
    if (state.values.empty()) { state.values.resize(program_.registers.size()); }
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
    for (RegisterId reg = 0; reg < head.values.size(); ++reg) {
      if (!next.reached || !isInteger(program_.registers[reg].type)) { continue; }
      const ValueType type = program_.registers[reg].type;
      Interval& value = head.values[reg];
      if (value.low < before.values[reg].low) { value.low = lowestBelow(value.low, type); }
      if (value.high > before.values[reg].high) { value.high = highestAbove(value.high, type); }
    }
  }

  // --- loops whose turns are counted

  using Operands = std::map<std::uint32_t, std::pair<Interval, Interval>>;  ///< by instruction

  /// Writes to a variable in a loop, if each of them adds something to it.
  struct Updates {
    std::vector<std::uint32_t> sums;  ///< the Add or Sub instructions
    bool everyTurn = false;           ///< there is one, which no condition skips
    bool other = false;               ///< it is written in another way, too
  };

  /// The instruction of this statement that computes a register before another reads it; kNone: none.
  [[nodiscard]] std::uint32_t computing(RegisterId reg, std::uint32_t reader) const {
    for (std::uint32_t at = reader; at-- > 0 && code_[at].op != Opcode::Statement;) {
      if (code_[at].dst == reg) { return at; }
    }
    return kNone;
  }

  /// The sum that an Assign stores into the variable that it was made from; kNone: it stores something else.
  [[nodiscard]] std::uint32_t sumOf(std::uint32_t assign) const {
    const RegisterId variable = code_[assign].dst;
    const std::uint32_t at = computing(code_[assign].a, assign);
    if (at == kNone) { return kNone; }
    const Instruction& sum = code_[at];
    const bool added = sum.op == Opcode::Add && (sum.a == variable || sum.b == variable);
    return added || (sum.op == Opcode::Sub && sum.a == variable) ? at : kNone;
  }

  [[nodiscard]] std::map<RegisterId, Updates> updatesIn(std::uint32_t loop) const {
    std::map<RegisterId, Updates> all;
    const auto begin = code_.begin() + loop, back = code_.begin() + backs_[loop];
    const bool skips = std::any_of(begin, back, [](const Instruction& one) { return one.op == Opcode::Continue; });
    int depth = 0, loops = 0;
    bool afterNext = false;
    for (std::uint32_t at = loop + 1; at < backs_[loop]; ++at) {
      const Instruction& code = code_[at];
      const bool opens = code.op == Opcode::If || code.op == Opcode::Loop || code.op == Opcode::Call;
      const bool closes = code.op == Opcode::EndIf || code.op == Opcode::EndLoop || code.op == Opcode::EndCall;
      depth += opens ? 1 : closes ? -1 : 0;
      loops += code.op == Opcode::Loop ? 1 : code.op == Opcode::EndLoop ? -1 : 0;
      afterNext = afterNext || (depth == 0 && code.op == Opcode::LoopNext);
      if (code.dst == kNone || program_.registers[code.dst].kind != RegisterKind::Variable) { continue; }
      Updates& updates = all[code.dst];
      const std::uint32_t sum = code.op == Opcode::Assign && loops == 0 ? sumOf(at) : kNone;
      if (sum == kNone) {
        updates.other = true;
      } else {
        updates.sums.push_back(sum);
        updates.everyTurn = updates.everyTurn || (depth == 0 && (afterNext || !skips));
      }
    }
    return all;
  }

  /// By how much a sum changes the variable, as it was in the last turn.
  [[nodiscard]] Interval change(std::uint32_t sum) const {
    const auto seen = operands_.find(sum);
    if (seen == operands_.end()) { return {0, 0}; }  // never reached
    const Instruction& code = code_[sum];
    const bool first = program_.registers[code.a].kind == RegisterKind::Variable && isVariableSum(sum, code.a);
    const Interval by = first ? seen->second.second : seen->second.first;
    return code.op == Opcode::Sub ? around(-Wide{by.low}, -Wide{by.high}) : by;
  }
  /// Whether the result goes back to this variable.
  [[nodiscard]] bool isVariableSum(std::uint32_t sum, RegisterId variable) const {
    for (std::uint32_t at = sum + 1; at < code_.size() && code_[at].op != Opcode::Statement; ++at) {
      if (code_[at].op == Opcode::Assign && code_[at].dst == variable && code_[at].a == code_[sum].dst) { return true; }
    }
    return false;
  }

  /// How often a loop goes round at most, by a counter that its condition compares; a negative number: unknown.
  [[nodiscard]] std::int64_t turnsOf(std::uint32_t loop, const std::map<RegisterId, Updates>& updates,
                                     const State& before) const {
    std::int64_t fewest = -1;
    int depth = 0;
    for (std::uint32_t at = loop + 1; at < backs_[loop]; ++at) {
      const Opcode op = code_[at].op;
      depth += op == Opcode::If || op == Opcode::Loop || op == Opcode::Call            ? 1
               : op == Opcode::EndIf || op == Opcode::EndLoop || op == Opcode::EndCall ? -1
                                                                                       : 0;
      if (op != Opcode::LoopTest || depth != 0) { continue; }
      std::vector<std::uint32_t> conditions{computing(code_[at].a, at)};
      while (!conditions.empty()) {
        const std::uint32_t computed = conditions.back();
        conditions.pop_back();
        if (computed == kNone) { continue; }
        const Instruction& code = code_[computed];
        if (code.op == Opcode::And && code.type == ValueType::Bool) {
          conditions.insert(conditions.end(), {computing(code.a, computed), computing(code.b, computed)});
        } else if (const std::int64_t turns = turnsBy(computed, updates, before); turns >= 0) {
          fewest = fewest < 0 ? turns : std::min(fewest, turns);
        }
      }
    }
    return fewest;
  }

  /// The same by one comparison.
  [[nodiscard]] std::int64_t turnsBy(std::uint32_t comparison, const std::map<RegisterId, Updates>& updates,
                                     const State& before) const {
    const Instruction& code = code_[comparison];
    const auto seen = operands_.find(comparison);
    if (seen == operands_.end() || !isInteger(code.type)) { return -1; }
    const bool less = code.op == Opcode::Less || code.op == Opcode::LessEqual;
    const bool greater = code.op == Opcode::Greater || code.op == Opcode::GreaterEqual;
    if (!less && !greater) { return -1; }
    for (const bool left : {true, false}) {
      const RegisterId counter = left ? code.a : code.b;
      const auto found = updates.find(counter);
      if (found == updates.end() || found->second.other || !found->second.everyTurn) { continue; }
      if (found->second.sums.size() != 1) { continue; }
      const Interval step = change(found->second.sums.front());
      const Interval start = readAs(before.values[counter], code.type);
      const Interval bound = left ? seen->second.second : seen->second.first;
      const bool upwards = left == less;
      const Wide way = upwards ? Wide{bound.high} - start.low : Wide{start.high} - bound.low;
      const std::int64_t each = upwards ? step.low : -step.high;
      // Where the counter itself may wrap around, it counts nothing.
      const Interval whole = rangeOf(code.type);
      const bool wraps = upwards ? Wide{bound.high} + step.high > whole.high : Wide{bound.low} + step.low < whole.low;
      if (each <= 0 || wraps) { continue; }
      return clamped(std::max<Wide>(0, way) / each + 2);  // one for `<=`, one for do … while
    }
    return -1;
  }

  /// Whether a variable's interval grew in a loop until its type ended it.
  [[nodiscard]] bool isUnbounded(RegisterId reg, const State& head, const State& before) const {
    const ValueType type = program_.registers[reg].type;
    if (!isInteger(type) || program_.registers[reg].kind != RegisterKind::Variable) { return false; }
    const Interval whole = rangeOf(type), was = before.values[reg], now = head.values[reg];
    return (now.high >= whole.high && was.high < whole.high) || (now.low <= whole.low && was.low > whole.low);
  }

  /// Variables that each turn adds something to are bounded by the number of turns.
  void boundByTurns(State& head, const State& before, std::uint32_t at) {
    bool any = false;
    for (RegisterId reg = 0; reg < head.values.size() && !any; ++reg) { any = isUnbounded(reg, head, before); }
    if (!any) { return; }
    // A loop around this one is noting its own operands.
    Operands outer = std::exchange(operands_, {});
    const bool outerNotes = std::exchange(noteOperands_, true);
    State next = copyOf(head);
    turn(next, at);
    noteOperands_ = outerNotes;
    boundBy(updatesIn(at), head, before, at);
    operands_ = std::move(outer);
  }

  void boundBy(const std::map<RegisterId, Updates>& updates, State& head, const State& before, std::uint32_t at) const {
    const std::int64_t turns = turnsOf(at, updates, before);
    if (turns < 0) { return; }
    for (const auto& [reg, update] : updates) {
      if (update.other || !isUnbounded(reg, head, before)) { continue; }
      Wide low = before.values[reg].low, high = before.values[reg].high;
      for (const std::uint32_t sum : update.sums) {
        const Interval by = change(sum);
        low += std::min<Wide>(0, Wide{turns} * by.low);
        high += std::max<Wide>(0, Wide{turns} * by.high);
      }
      const Interval bounded{clamped(low), clamped(high)};
      if (bounded.within(rangeOf(program_.registers[reg].type))) { head.values[reg] = bounded; }
    }
  }

  // --- conditions

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
    Interval a = readAs(state.values[code.a], code.type), b = readAs(state.values[code.b], code.type);
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
    const RegisterKind kind = program_.registers[reg].kind;
    const bool fits = value.within(rangeOf(program_.registers[reg].type));
    const bool changed = writtenAt_[reg] >= computedTurn_[foundAt];
    if (fits && !changed && (kind == RegisterKind::Variable || kind == RegisterKind::Temporary)) {
      state.values[reg] = value;
    }
  }

  // --- values

  void compute(State& state, std::uint32_t at) {
    const Instruction& code = code_[at];
    if (code.dst == kNone) { return; }
    ++turn_;
    const ValueType held = program_.registers[code.dst].type;
    if (noteOperands_ && code.b != kNone && isInteger(code.type)) { noteOperands(state, at); }
    if (isInteger(held)) { state.values[code.dst] = result(state, at, held); }
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
    return isInteger(program_.registers[reg].type) ? readAs(state.values[reg], type) : rangeOf(type);
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
          const Interval value = state.values[code.a];
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
    const auto operand = [&](RegisterId reg) { return wraps ? state.values[reg] : read(state, reg, code.type); };
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

  [[nodiscard]] static Interval quotient(const Interval& a, const Interval& b, ValueType type) {
    if (b.low <= 0 && b.high >= 0) { return rangeOf(type); }
    const Interval one = around(a.low / b.low, a.low / b.high), other = around(a.high / b.low, a.high / b.high);
    return joined(joined(one, other), a.low <= 0 && a.high >= 0 ? Interval{0, 0} : one);
  }

  [[nodiscard]] static Interval remainder(const Interval& a, const Interval& b, ValueType type) {
    if (b.low <= 0 && b.high >= 0) { return rangeOf(type); }
    const std::int64_t most = std::max(std::abs(b.low), std::abs(b.high)) - 1;
    return {a.low < 0 ? std::max(-most, a.low) : 0, a.high > 0 ? std::min(most, a.high) : 0};
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
  std::vector<std::uint32_t> ends_;   ///< of a Loop or Call: the place of its end
  std::vector<std::uint32_t> backs_;  ///< of a Loop: the place of its LoopBack
  std::vector<Around> around_;
  std::map<ObjectId, Interval> constants_;
  bool noteOperands_ = false;
  Operands operands_;   ///< of instructions in the turn just followed
  bool noting_ = true;  ///< false while a loop's intervals are still being found
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
