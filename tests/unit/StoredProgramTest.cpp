#include "program/StoredProgram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "WellFormedSample.h"
#include "program/SourceLocation.h"

namespace haloscope {
namespace {

std::string problemOf(std::span<const std::byte> bytes) {
  try {
    static_cast<void>(readProgram(bytes));
    return {};
  } catch (const InputError& error) { return error.message(); }
}

/// The sample, with every field that a well-formed program can have away from its default.
Program everyField() {
  Program program = test::wellFormedSample();
  program.kernelRange = {3, 1, 40, 2};
  program.maxThreads = 256;
  program.clusterDims = {2, 1, 1};
  program.functions[0].calledAt = {5, 6, 7, 8};
  program.variables[2].declared = {9, 1, 9, 4};
  program.variables[2].scope = {9, 1, 30, 2};
  program.variables[2].function = 1;
  program.parameters[1].declared = {2, 3, 2, 9};
  program.loops[0].variable = 2;
  program.argumentBytes = {8, 32};
  program.parameters[1].argumentOffset = 4;
  MemoryObject& weights = program.objects[3];
  weights.declared = {4, 1, 4, 20};
  weights.readOnly = true;
  weights.argument = 1;
  weights.argumentOffset = 8;
  program.objects.push_back(weights);
  program.argumentBytes.push_back(128);
  MemoryObject& map = program.objects.back();
  map.tensorMap = true;
  map.argument = 2;
  map.argumentOffset = 0;
  map.element = ValueType::Pointer;
  map.extents = {16};
  map.initial.clear();
  Instruction& load = test::firstOf(program, Opcode::Load);
  load.part = {1, 16};
  load.ofCopy = load.isVolatile = load.bulk = true;
  load.fetch = FetchPart::Texel;
  load.range = {7, 30, 8, 2};
  Instruction& store = test::firstOf(program, Opcode::Store);
  store.async = true;
  store.aux = kNone;
  store.mapped = true;
  return program;
}

TEST(StoredProgram, EveryFieldIsReadAsItWasStored) {
  const Program program = everyField();
  const Program read = readProgram(store(program));
  EXPECT_EQ(print(read), print(program));
  EXPECT_TRUE(read == program);
}

TEST(StoredProgram, IsSmall) {
  const Program program = test::wellFormedSample();
  EXPECT_LT(store(program).size(), 20 * program.code.size());
}

TEST(StoredProgram, EveryTruncationIsRefused) {
  const std::vector<std::byte> bytes = store(everyField());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(problemOf(std::span(bytes).first(size)), "") << size;
  }
}

TEST(StoredProgram, WhatFollowsIsRefused) {
  std::vector<std::byte> bytes = store(everyField());
  bytes.push_back({});
  EXPECT_EQ(problemOf(bytes), "the stored program cannot be read: more follows after its end");
}

TEST(StoredProgram, OtherFormsAreRefused) {
  std::vector<std::byte> bytes = store(everyField());
  bytes[4] = std::byte{99};
  EXPECT_EQ(problemOf(bytes), "the stored program has version 99 of its form; this Haloscope reads version 2");
  bytes[0] = std::byte{'h'};
  EXPECT_EQ(problemOf(bytes), "the stored program cannot be read: a number in it is out of range");
}

TEST(StoredProgram, AnIllFormedProgramIsRefused) {
  Program program = test::wellFormedSample();
  program.registers.pop_back();
  program.registers.pop_back();
  EXPECT_THAT(problemOf(store(program)), ::testing::StartsWith("the stored program is refused: instruction "));
}

}  // namespace
}  // namespace haloscope
