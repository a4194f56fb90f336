#include "analysis/ZeroProducts.h"

#include <algorithm>
#include <bit>

#include "provenance/ValueFlow.h"
#include "simt/Warp.h"

namespace haloscope::analysis {

namespace {

/// Plus or minus zero. A half lives in its register as a float does.
bool isZero(const simt::Warp& warp, RegisterId reg, ValueType type, int lane) {
  return type == ValueType::F64 ? warp.asDouble(reg, lane) == 0 : warp.asFloat(reg, lane) == 0;
}

bool loadedFromGlobal(const Program& program, const provenance::ValueFlow& flow, RegisterId reg, std::uint32_t at) {
  const std::vector<std::uint32_t> definitions = flow.definitions(reg, at);
  return !definitions.empty() && std::ranges::all_of(definitions, [&](std::uint32_t definition) {
    const Instruction& code = program.code[definition];
    return code.op == Opcode::Load && code.aux != kNone && program.objects[code.aux].space == MemorySpace::Global;
  });
}

}  // namespace

ZeroProducts::ZeroProducts(const Program& program) : program_(&program), multiplications_(program.code.size()) {
  const provenance::ValueFlow flow(program);
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    const Instruction& code = program.code[at];
    if ((code.op != Opcode::Mul && code.op != Opcode::Fma) || !isFloating(code.type)) { continue; }
    multiplications_[at] = {true, loadedFromGlobal(program, flow, code.a, at),
                            loadedFromGlobal(program, flow, code.b, at)};
  }
}

std::unique_ptr<simt::Observer> ZeroProducts::fork() const {
  auto fork = std::make_unique<ZeroProducts>(*this);
  fork->products_ = {};
  return fork;
}

void ZeroProducts::join(Observer& worker) {
  const Products& others = static_cast<ZeroProducts&>(worker).products_;
  products_.all += others.all;
  products_.byZero += others.byZero;
  products_.loadsForZero += others.loadsForZero;
}

void ZeroProducts::instruction(const simt::WarpContext& context, std::uint32_t instruction) {
  const Multiplication& multiplication = multiplications_[instruction];
  if (!multiplication.watched) { return; }
  const Instruction& code = program_->code[instruction];
  for (LaneMask rest = context.active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const bool zeroA = isZero(*context.state, code.a, code.type, lane);
    const bool zeroB = isZero(*context.state, code.b, code.type, lane);
    ++products_.all;
    if (zeroA || zeroB) { ++products_.byZero; }
    if ((zeroA && multiplication.loadsB) || (zeroB && multiplication.loadsA)) { ++products_.loadsForZero; }
  }
}

}  // namespace haloscope::analysis
