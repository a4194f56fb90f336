#include "program/SameCode.h"

#include <gtest/gtest.h>

#include "WellFormedSample.h"

namespace haloscope {
namespace {

TEST(SameCode, PlacesNamesAndNumbersOfArraysMayDiffer) {
  const Program one = test::wellFormedSample();
  Program other = one;
  other.kernel = "renamed";
  for (Instruction& code : other.code) { code.range.line += 7; }
  for (Statement& statement : other.statements) { statement.range.line += 7; }
  for (Variable& variable : other.variables) { variable.name += "_"; }
  test::firstOf(other, Opcode::Load).aux = kNone;
  EXPECT_TRUE(sameCode(one, other));
}

TEST(SameCode, WhatIsExecutedMayNot) {
  const Program one = test::wellFormedSample();
  const auto differs = [&](void (*change)(Program&)) {
    Program other = one;
    change(other);
    return !sameCode(one, other);
  };
  EXPECT_TRUE(differs([](Program& p) { p.code.pop_back(); }));
  EXPECT_TRUE(differs([](Program& p) { test::firstOf(p, Opcode::Add).b = 0; }));
  EXPECT_TRUE(differs([](Program& p) { test::firstOf(p, Opcode::Statement).aux = 3; }));
  EXPECT_TRUE(differs([](Program& p) { p.registers[0].type = ValueType::F64; }));
  EXPECT_TRUE(differs([](Program& p) { p.statements[0].firstInstruction = 9; }));
  EXPECT_TRUE(differs([](Program& p) { p.objects[1].element = ValueType::U8; }));
  EXPECT_TRUE(differs([](Program& p) { p.variables[0].reg = 2; }));
  EXPECT_TRUE(differs([](Program& p) { p.functions.pop_back(); }));
}

}  // namespace
}  // namespace haloscope
