#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "recording/RecordingBuilder.h"

namespace haloscope::test {

/// A hand-made recording: one and a half warps, four iterations of a loop, arbitrary writes.
///
///     1  __global__ void k(const float* in, float* out, int N) {
///     2    __shared__ float a_s[4][4];
///     3    for (int i = 2;        statements 0 (init), 1 (condition), 2 (increment)
///     4         i < 6; ++i) {
///     5      a_s[…] = …;          statement 3
///     6      __syncthreads();     statement 4
///     7      out[…] = …;          statement 5
///     8    }
struct RecordingSample {
  static constexpr ObjectId kIn = 0, kOut = 1, kTile = 2, kOwn = 3;
  static constexpr VariableId kN = 0, kI = 1;
  static constexpr std::uint32_t kThreads = 48;

  std::shared_ptr<const Program> program = makeProgram();
  Launch launch = makeLaunch();

  static SourceRange line(int at) { return {at, 3, at, 20}; }

  static std::shared_ptr<const Program> makeProgram() {
    auto program = std::make_shared<Program>();
    program->kernel = "k";
    program->functions.push_back({"k", {1, 1, 9, 2}, {}});
    const auto array = [](const char* name, MemorySpace space, std::vector<std::int64_t> extents, bool atLaunch) {
      MemoryObject object;
      object.name = name;
      object.space = space;
      object.extents = std::move(extents);
      object.extentsAtLaunch = atLaunch;
      return object;
    };
    program->objects = {array("in", MemorySpace::Global, {}, true), array("out", MemorySpace::Global, {}, true),
                        array("a_s", MemorySpace::Shared, {4, 4}, false), array("own", MemorySpace::Local, {2}, false)};
    program->registers.resize(2);
    program->registers[0].kind = program->registers[1].kind = RegisterKind::Variable;
    program->variables = {{"N", 0, line(1), {1, 1, 9, 2}, 0, true}, {"i", 1, line(3), {3, 1, 8, 6}, 0, false}};
    program->parameters = {{"in", ValueType::Pointer, kNone, kIn, line(1)},
                           {"out", ValueType::Pointer, kNone, kOut, line(1)},
                           {"N", ValueType::I32, kN, kNone, line(1)}};
    program->loops = {{{3, 3, 8, 4}, kI, 0, true}};

    const auto add = [&](Opcode op, std::uint32_t aux) {
      Instruction instruction;
      instruction.op = op;
      instruction.aux = aux;
      program->code.push_back(instruction);
    };
    const auto statement = [&](StatementKind kind, int at) {
      add(Opcode::Statement, static_cast<std::uint32_t>(program->statements.size()));
      program->statements.push_back({kind, line(at), 0, static_cast<std::uint32_t>(program->code.size() - 1)});
    };
    statement(StatementKind::LoopInit, 3);
    add(Opcode::Loop, 0);
    statement(StatementKind::LoopCondition, 4);
    // In the code the increment comes last; its id is still 2, as statements are numbered in this order.
    program->statements.push_back({StatementKind::LoopIncrement, line(4), 0, 0});
    statement(StatementKind::Expression, 5);
    statement(StatementKind::Barrier, 6);
    statement(StatementKind::Expression, 7);
    add(Opcode::LoopNext, kNone);
    program->statements[2].firstInstruction = static_cast<std::uint32_t>(program->code.size());
    add(Opcode::Statement, 2);
    add(Opcode::LoopBack, kNone);
    add(Opcode::EndLoop, kNone);
    add(Opcode::End, kNone);
    return program;
  }

  static Launch makeLaunch() {
    Launch launch;
    launch.configuration.grid = {2, 1, 1};
    launch.configuration.block = {kThreads, 1, 1};
    launch.arguments = {0, 0, 7};
    launch.arrays.resize(4);
    launch.arrays[kIn] = {ValueType::F32, {6, 6}, std::vector<std::byte>(144)};
    launch.arrays[kOut] = {ValueType::F32, {6, 6}, std::vector<std::byte>(144, std::byte{0x40})};
    return launch;
  }

  /// Four iterations with random writes, several to one cell in one step; seeded, so deterministic.
  [[nodiscard]] std::shared_ptr<const recording::Recording> record() const {
    using recording::Change;
    recording::RecordingBuilder builder(program, launch, {1, 0, 0}, recording::Recording::Source::Emulator);
    std::mt19937 random(1);
    std::uint32_t interval = 0;
    const auto write = [&](Change::Kind kind, std::uint32_t id, std::int64_t index, std::uint64_t bits) {
      recording::RecordingBuilder::Write value;
      value.kind = kind;
      value.id = id;
      value.index = index;
      value.bits = bits;
      value.thread = static_cast<std::uint32_t>(random() % kThreads);
      value.origin = {static_cast<recording::Origin::Kind>(random() % 4), kIn,
                      static_cast<std::int64_t>(random() % 36)};
      builder.write(value);
    };
    const auto step = [&](StatementId statement, auto&& writes) {
      builder.beginStep(statement, interval);
      builder.addLanes(0, {kAllLanes, 0, 0});
      builder.addLanes(1, {0x0000ffffU, 0, 0xffff0000U});
      writes();
      builder.endStep();
    };
    const auto setI = [&](std::uint64_t value) {
      for (std::uint32_t thread = 0; thread < kThreads; ++thread) { write(Change::Kind::Variable, kI, thread, value); }
    };

    step(0, [&] { setI(2); });
    for (std::uint64_t i = 2; i < 6; ++i) {
      step(1, [] {});
      step(3, [&] {
        for (int n = 0; n < 30; ++n) { write(Change::Kind::Shared, kTile, random() % 16, random()); }
        for (int n = 0; n < 20; ++n) { write(Change::Kind::Local, kOwn, random() % (2 * kThreads), random()); }
      });
      step(4, [] {});
      ++interval;
      step(5, [&] {
        for (int n = 0; n < 12; ++n) { write(Change::Kind::Global, kOut, random() % 36, random()); }
      });
      step(2, [&] { setI(i + 1); });
    }
    step(1, [] {});
    return builder.finish(false, {});
  }
};

}  // namespace haloscope::test
