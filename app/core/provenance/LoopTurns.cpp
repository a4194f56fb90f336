#include "provenance/LoopTurns.h"

#include <algorithm>
#include <utility>

#include "provenance/Interval.h"

namespace haloscope::provenance {

CarriedRegisters::CarriedRegisters(const Program& program)
    : slot(program.registers.size(), kNone), run(program.code.size(), 0) {
  std::vector<bool> carries(program.registers.size(), false);
  std::vector<std::uint32_t> computedIn(program.registers.size(), kNone);  // the last run that did
  std::uint32_t now = 0;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& code = program.code[at];
    run[at] = now;
    for (const RegisterId reg : {code.a, code.b, code.c}) {
      if (reg != kNone && computedIn[reg] != now) { carries[reg] = true; }
    }
    if (code.dst != kNone) { computedIn[code.dst] = now; }
    if (code.op >= Opcode::If && code.op <= Opcode::EndCall) { ++now; }
  }
  for (RegisterId reg = 0; reg < program.registers.size(); ++reg) {
    const Register& one = program.registers[reg];
    const bool part = one.kind == RegisterKind::Temporary && !carries[reg];
    const bool changes = one.kind == RegisterKind::Variable || one.kind == RegisterKind::Temporary;
    if (!isInteger(one.type) || !changes || part) { continue; }
    slot[reg] = static_cast<std::uint32_t>(registers.size());
    registers.push_back(reg);
  }
}

LoopTurns::LoopTurns(const Program& program, std::uint32_t loop, std::uint32_t back, Held before,
                     const OperandRanges& operands)
    : program_(program),
      code_(program.code),
      loop_(loop),
      back_(back),
      before_(std::move(before)),
      operands_(operands),
      updates_(updatesIn()),
      turns_(turns()) {}

std::optional<Interval> LoopTurns::bounded(RegisterId reg) const {
  const auto found = updates_.find(reg);
  if (turns_ < 0 || found == updates_.end() || found->second.other) { return std::nullopt; }
  const Interval was = before_(reg);
  Wide low = was.low, high = was.high;
  for (const std::uint32_t sum : found->second.sums) {
    const Interval by = change(sum);
    low += std::min<Wide>(0, Wide{turns_} * by.low);
    high += std::max<Wide>(0, Wide{turns_} * by.high);
  }
  const Interval bounded{clamped(low), clamped(high)};
  return bounded.within(rangeOf(program_.registers[reg].type)) ? std::optional(bounded) : std::nullopt;
}

bool LoopTurns::isUnbounded(const Register& reg, const Interval& now, const Interval& before) {
  if (!isInteger(reg.type) || reg.kind != RegisterKind::Variable) { return false; }
  const Interval whole = rangeOf(reg.type);
  return (now.high >= whole.high && before.high < whole.high) || (now.low <= whole.low && before.low > whole.low);
}

/// The instruction of this statement that computes a register before another reads it; kNone: none.
std::uint32_t LoopTurns::computing(RegisterId reg, std::uint32_t reader) const {
  for (std::uint32_t at = reader; at-- > 0 && code_[at].op != Opcode::Statement;) {
    if (code_[at].dst == reg) { return at; }
  }
  return kNone;
}

/// The sum that an Assign stores into the variable that it was made from; kNone: it stores something else.
std::uint32_t LoopTurns::sumOf(std::uint32_t assign) const {
  const RegisterId variable = code_[assign].dst;
  const std::uint32_t at = computing(code_[assign].a, assign);
  if (at == kNone) { return kNone; }
  const Instruction& sum = code_[at];
  const bool added = sum.op == Opcode::Add && (sum.a == variable || sum.b == variable);
  return added || (sum.op == Opcode::Sub && sum.a == variable) ? at : kNone;
}

std::map<RegisterId, LoopTurns::Updates> LoopTurns::updatesIn() const {
  std::map<RegisterId, Updates> all;
  const auto begin = code_.begin() + loop_, back = code_.begin() + back_;
  const bool skips = std::any_of(begin, back, [](const Instruction& one) { return one.op == Opcode::Continue; });
  int depth = 0, loops = 0;
  bool afterNext = false;
  for (std::uint32_t at = loop_ + 1; at < back_; ++at) {
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
Interval LoopTurns::change(std::uint32_t sum) const {
  const auto seen = operands_.find(sum);
  if (seen == operands_.end()) { return {0, 0}; }  // never reached
  const Instruction& code = code_[sum];
  const bool first = program_.registers[code.a].kind == RegisterKind::Variable && isVariableSum(sum, code.a);
  const Interval by = first ? seen->second.second : seen->second.first;
  return code.op == Opcode::Sub ? around(-Wide{by.low}, -Wide{by.high}) : by;
}

/// Whether the result goes back to this variable.
bool LoopTurns::isVariableSum(std::uint32_t sum, RegisterId variable) const {
  for (std::uint32_t at = sum + 1; at < code_.size() && code_[at].op != Opcode::Statement; ++at) {
    if (code_[at].op == Opcode::Assign && code_[at].dst == variable && code_[at].a == code_[sum].dst) { return true; }
  }
  return false;
}

/// How often a loop goes round at most, by a counter that its condition compares; a negative number: unknown.
std::int64_t LoopTurns::turns() const {
  std::int64_t fewest = -1;
  int depth = 0;
  for (std::uint32_t at = loop_ + 1; at < back_; ++at) {
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
      } else if (const std::int64_t count = turnsBy(computed); count >= 0) {
        fewest = fewest < 0 ? count : std::min(fewest, count);
      }
    }
  }
  return fewest;
}

/// The same by one comparison.
std::int64_t LoopTurns::turnsBy(std::uint32_t comparison) const {
  const Instruction& code = code_[comparison];
  const auto seen = operands_.find(comparison);
  if (seen == operands_.end() || !isInteger(code.type)) { return -1; }
  const bool less = code.op == Opcode::Less || code.op == Opcode::LessEqual;
  const bool greater = code.op == Opcode::Greater || code.op == Opcode::GreaterEqual;
  if (!less && !greater) { return -1; }
  for (const bool left : {true, false}) {
    const RegisterId counter = left ? code.a : code.b;
    const auto found = updates_.find(counter);
    if (found == updates_.end() || found->second.other || !found->second.everyTurn) { continue; }
    if (found->second.sums.size() != 1) { continue; }
    const Interval step = change(found->second.sums.front());
    const Interval start = readAs(before_(counter), code.type);
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

}  // namespace haloscope::provenance
