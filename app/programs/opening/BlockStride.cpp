#include "opening/BlockStride.h"

#include <map>
#include <set>

namespace haloscope::opening {

namespace {

constexpr std::int64_t kMaxStride = 1 << 20;

/// A register that holds `factor` times the index of the block along `axis`.
struct Scaled {
  std::size_t axis = 0;
  std::int64_t factor = 1;
};

std::optional<std::size_t> axisOfBlock(const Register& reg) {
  if (reg.kind != RegisterKind::Builtin) { return std::nullopt; }
  switch (reg.builtin) {
    case Builtin::BlockIdxX:
      return 0;
    case Builtin::BlockIdxY:
      return 1;
    case Builtin::BlockIdxZ:
      return 2;
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> constantOf(const Program& program, RegisterId reg) {
  if (reg == kNone || program.registers[reg].kind != RegisterKind::Constant) { return std::nullopt; }
  const Register& constant = program.registers[reg];
  if (isFloating(constant.type) || constant.type == ValueType::Pointer) { return std::nullopt; }
  return sizeInRegister(constant.type) == 8 ? static_cast<std::int64_t>(constant.bits)
                                            : static_cast<std::int32_t>(constant.bits);
}

}  // namespace

std::array<std::optional<std::int64_t>, 3> blockStrides(const Program& program) {
  std::map<RegisterId, Scaled> scaled;
  for (RegisterId reg = 0; reg < program.registers.size(); ++reg) {
    if (const auto axis = axisOfBlock(program.registers[reg])) { scaled[reg] = {.axis = *axis}; }
  }
  std::array<std::set<std::int64_t>, 3> found;
  // In the order of the text, since registers are reused.
  for (const Instruction& one : program.code) {
    if (one.dst == kNone) { continue; }
    std::optional<Scaled> result;
    const bool left = scaled.contains(one.a);
    if ((one.op == Opcode::Convert || one.op == Opcode::Assign) && left && !isFloating(one.type)) {
      result = scaled.at(one.a);
    } else if (one.op == Opcode::Mul && (left || scaled.contains(one.b))) {
      const Scaled& source = scaled.at(left ? one.a : one.b);
      const auto factor = constantOf(program, left ? one.b : one.a);
      if (factor && *factor >= 1 && *factor <= kMaxStride) {
        result = {.axis = source.axis, .factor = source.factor * *factor};
        found[source.axis].erase(source.factor);  // blockIdx.x * TILE * COARSE_FACTOR is one number
        found[source.axis].insert(result->factor);
      }
    }
    scaled.erase(one.dst);
    if (result && result->factor <= kMaxStride) { scaled[one.dst] = *result; }
  }
  std::array<std::optional<std::int64_t>, 3> strides;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (found[axis].size() == 1) { strides[axis] = *found[axis].begin(); }
  }
  return strides;
}

}  // namespace haloscope::opening
