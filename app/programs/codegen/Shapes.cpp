#include "codegen/Shapes.h"

#include <algorithm>
#include <limits>

#include "program/RealBits.h"
#include "simt/LiveRanges.h"

namespace haloscope::codegen {
namespace {

constexpr Shape kVaryingShape{.kind = Shape::Kind::Varying};

Shape uniformShape(std::optional<std::uint64_t> base = {}) { return {.kind = Shape::Kind::Affine, .base = base}; }

bool isWide(ValueType type) { return sizeInRegister(type) == 8; }

/// A register's bits of an integer type, without those above its width.
std::uint64_t cut(ValueType type, std::uint64_t bits) { return isWide(type) ? bits : bits & 0xffffffffU; }
std::int64_t signedCut(ValueType type, std::uint64_t bits) {
  return isWide(type) ? static_cast<std::int64_t>(bits) : static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
}
/// A value as a number: extended from its register.
std::uint64_t widened(ValueType type, std::uint64_t bits) {
  return isSigned(type) ? static_cast<std::uint64_t>(signedCut(type, bits)) : cut(type, bits);
}

bool isInteger(ValueType type) {
  return !isFloating(type) && type != ValueType::Bool && sizeInMemory(type) >= 4;  // narrow ones wrap on their own
}

std::array<std::uint64_t, kMostLanes> lanesOf(const Shape& shape) {
  std::array<std::uint64_t, kMostLanes> lanes{};
  for (int i = 0; i < kMostLanes; ++i) { lanes[i] = *shape.base + static_cast<std::uint64_t>(shape.lane[i]); }
  return lanes;
}

Shape shapeOfLanes(ValueType type, const std::array<std::uint64_t, kMostLanes>& lanes) {
  Shape shape = uniformShape(cut(type, lanes[0]));
  for (int i = 0; i < kMostLanes; ++i) { shape.lane[i] = signedCut(type, lanes[i] - lanes[0]); }
  return shape;
}

/// The operation on one lane; none where it needs care that is not worth it here.
std::optional<std::uint64_t> applied(Opcode op, ValueType type, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t width = isWide(type) ? 64 : 32;
  switch (op) {
    case Opcode::Add:
      return a + b;
    case Opcode::Sub:
      return a - b;
    case Opcode::Mul:
      return a * b;
    case Opcode::And:
      return a & b;
    case Opcode::Or:
      return a | b;
    case Opcode::Xor:
      return a ^ b;
    case Opcode::Shl:
      return b < width ? std::optional(a << b) : std::nullopt;
    case Opcode::Shr:
      if (b >= width) { return std::nullopt; }
      return isSigned(type) ? static_cast<std::uint64_t>(signedCut(type, a) >> b) : cut(type, a) >> b;
    case Opcode::Div:
    case Opcode::Rem: {
      const std::int64_t x = signedCut(type, a), y = signedCut(type, b);
      if (y == 0 || (isSigned(type) && (x < 0 || y < 0))) { return std::nullopt; }
      const std::uint64_t u = cut(type, a), v = cut(type, b);
      return op == Opcode::Div ? u / v : u % v;
    }
    default:
      return std::nullopt;
  }
}

Shape binary(Opcode op, ValueType type, const Shape& a, const Shape& b) {
  if (a.known() && b.known()) {
    const auto x = lanesOf(a), y = lanesOf(b);
    std::array<std::uint64_t, kMostLanes> lanes{};
    bool all = true;
    for (int i = 0; i < kMostLanes && all; ++i) {
      const auto lane = applied(op, type, x[i], op == Opcode::Shl || op == Opcode::Shr ? y[i] : cut(type, y[i]));
      all = lane.has_value();
      lanes[i] = lane.value_or(0);
    }
    if (all) { return shapeOfLanes(type, lanes); }
  }
  if (a.uniform() && b.uniform()) { return uniformShape(); }
  if (!a.affine() || !b.affine()) { return kVaryingShape; }
  Shape shape = uniformShape();
  const auto each = [&](auto&& value) {
    for (int i = 0; i < kMostLanes; ++i) { shape.lane[i] = signedCut(type, static_cast<std::uint64_t>(value(i))); }
    return shape;
  };
  const auto bits = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  switch (op) {
    case Opcode::Add:
      return each([&](int i) { return bits(a.lane[i]) + bits(b.lane[i]); });
    case Opcode::Sub:
      return each([&](int i) { return bits(a.lane[i]) - bits(b.lane[i]); });
    case Opcode::Mul:
      if (b.uniform() && b.known()) {
        return each([&](int i) { return bits(a.lane[i]) * *b.base; });
      }
      if (a.uniform() && a.known()) {
        return each([&](int i) { return bits(b.lane[i]) * *a.base; });
      }
      return kVaryingShape;
    case Opcode::Shl:
      if (b.uniform() && b.known() && *b.base < (isWide(type) ? 64U : 32U)) {
        return each([&](int i) { return bits(a.lane[i]) << *b.base; });
      }
      return kVaryingShape;
    default:
      return kVaryingShape;
  }
}

}  // namespace

Shapes::Shapes(const Program& program, const machine::KernelShape& launch, unsigned warps, Constructs& constructs,
               const simt::Structure& structure, std::optional<std::uint32_t> group)
    : program_(program),
      launch_(launch),
      lanes_(static_cast<int>(warps) * kWarpSize),
      group_(group),
      constructs_(constructs),
      structure_(structure) {
  nameValues(structure);
  begin();
  while (step() || updateDivergence()) {}
  for (Value& value : values_) { value.merges = value.maskedWrites && !staysTogether(value); }
}

void Shapes::nameValues(const simt::Structure& structure) {
  const auto registers = static_cast<std::uint32_t>(program_.registers.size());
  values_.resize(registers);
  for (RegisterId reg = 0; reg < registers; ++reg) { values_[reg].reg = reg; }
  uses_.resize(registers);
  for (const simt::LiveRange& range : simt::findLiveRanges(program_, structure)) {
    std::vector<Use>& uses = uses_[range.reg];
    ValueId value = range.reg;
    if (!uses.empty()) {
      value = static_cast<ValueId>(values_.size());
      values_.push_back({.reg = range.reg, .shape = {}});
    }
    uses.push_back({range.firstUse, range.lastUse, value});
  }
  written_.assign(program_.code.size(), kNone);
  for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
    const Instruction& instruction = program_.code[at];
    for (const RegisterId reg : {instruction.a, instruction.b, instruction.c}) {
      if (reg == kNone) { continue; }
      std::vector<std::uint32_t>& reads = values_[readBy(at, reg)].reads;
      if (reads.empty() || reads.back() != at) { reads.push_back(at); }
    }
    if (instruction.dst == kNone) { continue; }
    ValueId value = instruction.dst;
    for (const Use& use : uses_[instruction.dst]) {
      if (use.first <= at) { value = use.value; }
    }
    written_[at] = value;
    values_[value].writes.push_back(at);
    values_[value].maskedWrites |= simt::writesActiveLanesOnly(instruction);
  }
}

ValueId Shapes::readBy(std::uint32_t instruction, RegisterId reg) const {
  const std::vector<Use>& uses = uses_[reg];
  if (uses.empty()) { return reg; }
  ValueId value = uses.front().value;
  for (const Use& use : uses) {
    if (use.first < instruction) { value = use.value; }
  }
  return value;
}

void Shapes::begin() {
  std::vector<std::optional<std::uint64_t>> arguments(program_.registers.size());
  for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
    const Parameter& parameter = program_.parameters[i];
    if (parameter.variable == kNone) { continue; }
    const RegisterId reg = program_.variables.at(parameter.variable).reg;
    if (reg == kNone) { continue; }
    arguments[reg] = machine::argumentBits(parameter, launch_, i);
  }
  const Dim3 cluster{};
  for (Value& value : values_) {
    value.alwaysSet = std::ranges::all_of(value.reads, [&](std::uint32_t read) {
      return std::ranges::any_of(
          value.writes, [&](std::uint32_t write) { return write < read && structure_.dominates(write, read); });
    });
  }
  for (ValueId id = 0; id < program_.registers.size(); ++id) {
    Value& value = values_[id];
    const Register& info = program_.registers[value.reg];
    const bool exact = isInteger(info.type) || info.type == ValueType::Pointer || info.type == ValueType::Bool;
    switch (info.kind) {
      case RegisterKind::Constant:
        value.shape =
            uniformShape(exact ? std::optional(cut(info.type, registerBits(info.type, info.bits))) : std::nullopt);
        break;
      case RegisterKind::Builtin:
        switch (vectorOf(info.builtin)) {
          case Builtin::ThreadIdxX:
            value.shape = threadIndex(info.builtin);
            break;
          case Builtin::BlockIdxX:
            value.shape = uniformShape();
            break;
          case Builtin::BlockDimX:
            value.shape = uniformShape(launch_.configuration.block.component(componentOf(info.builtin)));
            break;
          case Builtin::GridDimX:
            value.shape = uniformShape(launch_.configuration.grid.component(componentOf(info.builtin)));
            break;
          default:
            value.shape = uniformShape(cluster.component(componentOf(info.builtin)));
            break;
        }
        break;
      case RegisterKind::Variable: {
        if (value.alwaysSet && !value.writes.empty()) { break; }
        // What nothing has been assigned to has all bits set.
        const std::uint64_t initial = arguments[value.reg].value_or(~std::uint64_t{0});
        value.shape = uniformShape(exact ? std::optional(cut(info.type, initial)) : std::nullopt);
        break;
      }
      case RegisterKind::Temporary:
        break;
    }
  }
}

Shape Shapes::threadIndex(Builtin builtin) const {
  const Dim3& block = launch_.configuration.block;
  // Threads that are not there go on as the last ones do.
  Dim3 rows = block;
  (rows.z > 1 ? rows.z : rows.y > 1 ? rows.y : rows.x) = std::numeric_limits<std::uint32_t>::max();
  const auto index = [&](std::uint64_t thread) -> std::int64_t {
    return unlinear(thread, rows).component(componentOf(builtin));
  };
  Shape shape = uniformShape();
  const auto lanes = static_cast<std::uint64_t>(lanes_);
  const std::uint64_t any = group_.value_or(0) * lanes;
  for (std::uint64_t lane = 0; lane < lanes; ++lane) { shape.lane[lane] = index(any + lane) - index(any); }
  if (group_) {
    shape.base = static_cast<std::uint64_t>(index(any));
    return shape;
  }
  bool same = true;
  for (std::uint64_t begin = 0; begin < block.count(); begin += lanes) {
    const std::int64_t first = index(begin);
    same &= first == index(0);
    // Threads beyond the block's last one do not exist: any number will do for them.
    for (std::uint64_t lane = 0; lane < lanes && begin + lane < block.count(); ++lane) {
      if (index(begin + lane) - first != shape.lane[lane]) { return kVaryingShape; }
    }
  }
  if (same) { shape.base = static_cast<std::uint64_t>(index(0)); }
  return shape;
}

void Shapes::meet(ValueId id, const Shape& shape, bool& changed) {
  Shape& now = values_[id].shape;
  if (shape.kind == Shape::Kind::Unknown || now.varying()) { return; }
  Shape met = now;
  if (now.kind == Shape::Kind::Unknown) {
    met = shape;
  } else if (shape.varying() || shape.lane != now.lane) {
    met = kVaryingShape;
  } else if (shape.base != now.base) {
    met.base.reset();
  }
  changed |= met != now;
  now = met;
}

bool Shapes::staysTogether(const Value& value) const {
  if (value.writes.empty()) { return true; }
  const ConstructId around = constructs_.divergence(value.writes.front());
  const auto same = [&](std::uint32_t write) { return constructs_.divergence(write) == around; };
  // What an earlier time left, and nothing has set since, may differ where some lanes have been there more often.
  if (!value.alwaysSet && around != 0) { return false; }
  const auto inside = [&](std::uint32_t read) { return constructs_.encloses(around, constructs_.around(read)); };
  return std::ranges::all_of(value.writes, same) && std::ranges::all_of(value.reads, inside);
}

bool Shapes::step() {
  bool changed = false;
  for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
    const ValueId id = written_[at];
    if (id == kNone) { continue; }
    meet(id, resultOf(at), changed);
    if (values_[id].maskedWrites && !values_[id].shape.varying() && !staysTogether(values_[id])) {
      meet(id, kVaryingShape, changed);
    }
  }
  return changed;
}

bool Shapes::updateDivergence() {
  bool changed = false;
  for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
    const Instruction& instruction = program_.code[at];
    const auto uniform = [&] { return shapeRead(at, instruction.a).uniform(); };
    const auto leaves = [&](ConstructId what) {
      if (what != kNone && constructs_.divergesWithin(what, at)) {
        changed |= constructs_.setDivergent(constructs_[what].opener);
      }
    };
    switch (instruction.op) {
      case Opcode::If:
        if (!uniform()) { changed |= constructs_.setDivergent(at); }
        break;
      case Opcode::LoopTest:
        if (!uniform()) {
          changed |= constructs_.setDivergent(constructs_[constructs_.loopOf(at, false)].opener);
        } else {
          leaves(constructs_.loopOf(at, false));
        }
        break;
      case Opcode::Break:
        leaves(constructs_.loopOf(at, false));
        break;
      case Opcode::Continue:
        leaves(constructs_.loopOf(at, true));
        break;
      case Opcode::Return:
        leaves(constructs_.callOf(at));
        break;
      default:
        break;
    }
  }
  return changed;
}

Shape Shapes::resultOf(std::uint32_t at) const {
  const Instruction& instruction = program_.code[at];
  const auto shape = [&](RegisterId reg) -> const Shape& { return shapeRead(at, reg); };
  const auto typeOf = [&](RegisterId reg) { return program_.registers[reg].type; };
  bool unknown = false, uniform = true;
  for (const RegisterId reg : {instruction.a, instruction.b, instruction.c}) {
    if (reg == kNone) { continue; }
    unknown |= shape(reg).kind == Shape::Kind::Unknown;
    uniform &= shape(reg).uniform();
  }
  if (unknown) { return {}; }
  switch (instruction.op) {
    case Opcode::Assign:
      return shape(instruction.a);
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Div:
    case Opcode::Rem:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Shl:
    case Opcode::Shr:
      if (!isInteger(instruction.type)) { break; }
      if ((instruction.op == Opcode::Shl || instruction.op == Opcode::Shr) && isWide(typeOf(instruction.b)) &&
          !uniform) {
        return kVaryingShape;
      }
      return binary(instruction.op, instruction.type, shape(instruction.a), shape(instruction.b));
    case Opcode::Negate:
      if (!isInteger(instruction.type)) { break; }
      return binary(Opcode::Sub, instruction.type, uniformShape(0), shape(instruction.a));
    case Opcode::Convert: {
      const ValueType from = typeOf(instruction.a), to = instruction.type;
      const bool integers = !isFloating(from) && from != ValueType::Pointer && isInteger(to);
      if (!integers) { break; }
      const Shape& a = shape(instruction.a);
      if (!a.affine()) { return a; }
      if (a.known()) {
        auto lanes = lanesOf(a);
        for (std::uint64_t& lane : lanes) { lane = widened(from, lane); }
        return shapeOfLanes(to, lanes);
      }
      Shape result = uniformShape();
      for (int i = 0; i < kMostLanes; ++i) { result.lane[i] = signedCut(to, static_cast<std::uint64_t>(a.lane[i])); }
      return result;
    }
    case Opcode::Offset: {
      const Shape& pointer = shape(instruction.a);
      const Shape& index = shape(instruction.b);
      if (!pointer.affine() || !index.affine()) { return kVaryingShape; }
      Shape result = uniformShape();
      const ValueType type = typeOf(instruction.b);
      if (pointer.known() && index.known()) {
        auto lanes = lanesOf(pointer);
        const auto by = lanesOf(index);
        for (int i = 0; i < kMostLanes; ++i) { lanes[i] += widened(type, by[i]) * instruction.aux; }
        return shapeOfLanes(ValueType::Pointer, lanes);
      }
      for (int i = 0; i < kMostLanes; ++i) {
        result.lane[i] = pointer.lane[i] + index.lane[i] * static_cast<std::int64_t>(instruction.aux);
      }
      return result;
    }
    case Opcode::Select: {
      const Shape& condition = shape(instruction.a);
      Shape yes = shape(instruction.b);
      const Shape& no = shape(instruction.c);
      if (!yes.affine() || yes.lane != no.lane || !no.affine()) { return kVaryingShape; }
      if (condition.uniform() || (yes.known() && yes.base == no.base)) {
        if (yes.base != no.base) { yes.base.reset(); }
        return yes;
      }
      return kVaryingShape;
    }
    case Opcode::Load:
      return uniform && instruction.aux != kNone && program_.objects[instruction.aux].space != MemorySpace::Local
                 ? uniformShape()
                 : kVaryingShape;
    case Opcode::Math:
    case Opcode::Shuffle:
    case Opcode::Vote:
      return kVaryingShape;
    default:
      if (isAtomic(instruction.op)) { return kVaryingShape; }
      break;
  }
  return uniform ? uniformShape() : kVaryingShape;
}

}  // namespace haloscope::codegen
