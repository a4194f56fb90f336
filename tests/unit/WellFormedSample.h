#pragma once

#include <algorithm>

#include "ProgramBuilder.h"
#include "program/Shuffle.h"

namespace haloscope::test {

/// A small program that is well formed, with an instruction of nearly every kind.
inline Program wellFormedSample() {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::F32);
  const RegisterId n = builder.scalar("n", ValueType::I32);
  const ObjectId tile = builder.object("tile", MemorySpace::Shared, ValueType::F32, {4, 8});
  const ObjectId own = builder.object("own", MemorySpace::Local, ValueType::F32, {4});
  builder.object("weights", MemorySpace::Constant, ValueType::F32, {2});
  builder.object("structs", MemorySpace::Global, ValueType::U32, {3, 2});
  const RegisterId i = builder.variable("i", ValueType::I32);
  const RegisterId mask = builder.constant(ValueType::U32, kAllLanes);
  const RegisterId one = builder.i32(1);

  builder.statement(StatementKind::Declaration);
  const RegisterId t = builder.builtinInt(Builtin::ThreadIdxX);
  const RegisterId value = builder.math(MathFunction::Sqrt, builder.convert(t, ValueType::F32));
  const RegisterId larger = builder.math(MathFunction::Max, t, one);
  builder.store(own, builder.i32(0), value);

  builder.statement(StatementKind::Condition);
  const RegisterId inside = builder.less(t, n);
  builder.beginIf(inside);
  builder.statement();
  builder.store(out, t, builder.load(own, builder.i32(0)));
  builder.beginElse();
  builder.statement();
  builder.store(tile, t, value);
  builder.endIf();

  builder.statement(StatementKind::LoopInit);
  builder.assign(i, builder.i32(0));
  builder.beginLoop();
  builder.statement(StatementKind::LoopCondition);
  builder.loopTest(builder.less(i, n));
  builder.statement(StatementKind::Barrier);
  builder.control(Opcode::Barrier);
  builder.beginIf(inside);
  builder.statement(StatementKind::Continue);
  builder.control(Opcode::Continue);
  builder.statement(StatementKind::Break);
  builder.control(Opcode::Break);
  builder.endIf();
  builder.loopNext();
  builder.statement(StatementKind::LoopIncrement);
  builder.assign(i, builder.add(i, one));
  builder.endLoop();

  builder.statement();
  builder.atomicAdd(out, t, value);
  builder.call();
  builder.control(Opcode::Return);
  builder.control(Opcode::EndCall);
  builder.emit({.op = Opcode::Shuffle,
                .type = ValueType::F32,
                .dst = builder.temporary(ValueType::F32),
                .a = value,
                .b = larger,
                .c = mask,
                .aux = ShuffleMode{ShuffleKind::Down, 16}.pack()});
  builder.emit({.op = Opcode::Vote,
                .type = ValueType::U32,
                .dst = builder.temporary(ValueType::U32),
                .a = inside,
                .b = mask,
                .aux = static_cast<std::uint32_t>(VoteKind::Ballot)});
  builder.emit({.op = Opcode::Barrier, .a = inside, .aux = static_cast<std::uint32_t>(BarrierKind::Count)});
  builder.emit({.op = Opcode::BarrierVote,
                .dst = builder.temporary(ValueType::I32),
                .aux = static_cast<std::uint32_t>(BarrierKind::Count)});
  builder.emit({.op = Opcode::MemoryBarrier,
                .a = builder.pointer(tile),
                .b = mask,
                .aux = static_cast<std::uint32_t>(MemoryBarrierAction::Initialise)});
  builder.emit({.op = Opcode::PointerDifference,
                .type = ValueType::I64,
                .dst = builder.temporary(ValueType::I64),
                .a = builder.pointer(tile),
                .b = builder.pointer(tile),
                .aux = 4});
  builder.emit({.op = Opcode::MapShared,
                .type = ValueType::Pointer,
                .dst = builder.temporary(ValueType::Pointer),
                .a = builder.pointer(tile),
                .b = mask});
  builder.emit({.op = Opcode::Fence, .aux = static_cast<std::uint32_t>(FenceScope::Device)});
  builder.emit({.op = Opcode::Trap, .a = inside, .aux = 0});

  Program program = builder.build();
  program.argumentBytes = {8, 4};
  for (std::uint32_t argument = 0; argument < 2; ++argument) { program.parameters[argument].argument = argument; }
  program.loops[0].containsBarrier = true;
  program.assertions = {"t < n"};
  program.objects[3].initial = {1, 2};
  program.objects[4].members = {{".x", ValueType::F32, 0}, {".y", ValueType::U32, 4}};
  program.objects[4].structBytes = 8;
  return program;
}

/// The first instruction with this opcode.
inline Instruction& firstOf(Program& program, Opcode op) {
  return *std::ranges::find(program.code, op, &Instruction::op);
}

}  // namespace haloscope::test
