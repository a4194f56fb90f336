#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "frontend/Frontend.h"
#include "machine/Execution.h"
#include "program/SourceLocation.h"
#include "program/WellFormed.h"
#include "simt/Executor.h"

// What kernels compute as machine code is what the emulator computes, bit for bit.

namespace haloscope {
namespace {

/// Only what is executed as machine code counts.
class MachineOnly {
 public:
  MachineOnly() { machine::setPolicy(machine::Policy::Machine); }
  MachineOnly(const MachineOnly&) = delete;
  MachineOnly& operator=(const MachineOnly&) = delete;
  ~MachineOnly() { machine::setPolicy(machine::Policy::Auto); }
};

std::string describe(const Bindings& bindings) {
  std::string text;
  for (const auto& [name, value] : bindings) { text += name + "=" + std::to_string(value) + " "; }
  return text;
}

void expectSame(const Program& program, const Launch& launch) {
  Launch emulated = launch, compiled = launch;
  const simt::ExecuteResult expected = simt::execute(program, emulated);
  const MachineOnly only;
  const simt::ExecuteResult result = machine::execute(program, compiled);
  EXPECT_EQ(result.outcome, expected.outcome);
  EXPECT_EQ(result.message, expected.message);
  EXPECT_EQ(result.outOfBounds, expected.outOfBounds);
  EXPECT_EQ(result.blocks, expected.blocks);
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    EXPECT_EQ(compiled.arrays[i].bytes, emulated.arrays[i].bytes) << program.objects[i].name;
  }
}

class MachineCodeTest : public testing::TestWithParam<std::string> {};

TEST_P(MachineCodeTest, ComputesWhatTheEmulatorDoes) {
  const KernelFile& file = test::catalogue().at(GetParam());
  // Sizes that no tile divides, and the smallest; each tunable at one of its ends.
  Bindings odd = file.defaults(), least = file.defaults();
  for (const SizeParameter& size : file.sizes) {
    odd[size.name] = std::max<std::int64_t>(size.minimum, std::min<std::int64_t>(size.defaultValue, 40) - 3);
    least[size.name] = size.minimum;
  }
  std::vector<Bindings> all{odd, least};
  for (const Tunable& tunable : file.tunables) {
    all.push_back(odd);
    std::int64_t& value = all.back()[tunable.name];
    value = value == tunable.minimum ? tunable.maximum : tunable.minimum;
  }
  if (file.precision) {
    all.push_back(odd);
    all.back()[file.precision->macro] = sizeof(double);
  }
  std::size_t executed = 0;
  for (const Bindings& one : all) {
    try {
      const Bindings bindings = file.bind(one);
      const Program program = experiment::compile(file, bindings);
      const Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
      SCOPED_TRACE(describe(one));
      expectSame(program, launch);
      ++executed;
    } catch (const UserError&) {}  // tiles that do not fit
  }
  EXPECT_GT(executed, 1U);
}

INSTANTIATE_TEST_SUITE_P(MachineCodeOfVariant, MachineCodeTest, testing::ValuesIn(test::catalogueIds()),
                         [](const auto& variant) {
                           std::string name = variant.param;
                           for (char& c : name) { c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_'; }
                           return name;
                         });

/// A launch of a kernel of N threads in blocks of 48, over arrays of N elements.
struct Made {
  Program program;
  Launch launch;
};
Made made(const std::string& text, std::int64_t elements = 480) {
  Made result{.program = frontend::compile("kernel.cu", text, {}).program, .launch = {}};
  constexpr std::uint32_t kThreads = 48;
  result.launch.configuration.block = {kThreads, 1, 1};
  result.launch.configuration.grid = {static_cast<std::uint32_t>((elements + kThreads - 1) / kThreads), 1, 1};
  result.launch.arguments.assign(result.program.parameters.size(), static_cast<std::uint64_t>(elements));
  for (const MemoryObject& object : result.program.objects) {
    ArrayData data{.element = object.element, .extents = {}};
    if (object.space == MemorySpace::Global) {
      data.extents = {elements};
      data.bytes.resize(static_cast<std::size_t>(elements) * static_cast<std::size_t>(sizeInMemory(object.element)));
      for (std::size_t i = 0; i < data.bytes.size(); ++i) { data.bytes[i] = static_cast<std::byte>(i * 37 % 61); }
    }
    result.launch.arrays.push_back(std::move(data));
  }
  return result;
}

std::string whyEmulated(const Made& one) {
  const MachineOnly only;
  return machine::whyEmulated(one.program, one.launch);
}

TEST(MachineCode, LanesThatPartMeetAgain) {
  const char* const kTexts[] = {
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
      " int s = 0; for (int t = 0; t < i % 7; ++t) { if (t == 3) continue; if (a[i] % 5 == t) break; s += t; }"
      " a[i] = s; }",
      "__device__ int f(int x) { if (x % 3 == 0) return 7; for (int i = 0; i < x % 5; ++i) { if (i == 2) return i; }"
      " return x; }"
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = f(a[i]) + f(i); }",
      "__device__ int f(int x) { for (int i = 0; i < x % 7; ++i) { int y = (i * i + 3) * (x + i) + x;"
      " if (y % 5 == 3) return y * 2 + 1; } return 0; }"
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = f(a[i]) + 1; }",
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
      " if (i % 11 == 4) return; switch (a[i] % 4) { case 0: a[i] = 1; case 1: a[i] += 10; break; default: a[i] = -i; }"
      " if (i % 2) { a[i] *= 3; } else if (i % 3) { a[i] /= i % 4; } }",
      "__global__ void k(float *a, int n) { __shared__ float s[48]; int t = threadIdx.x;"
      " int i = blockIdx.x * blockDim.x + t; float x = a[i]; for (int d = 1; d < 48; d *= 2) { s[t] = x;"
      " __syncthreads(); if (t >= d) { x += s[t - d]; } __syncthreads(); } a[i] = x; }",
      "__global__ void k(unsigned *a, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x - 1u;"
      " if (i < n) { a[i] = a[i] * (i - 5u) + (a[i] >> (i & 63u)) + (1u << i); } }",
      "__global__ void k(double *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; double l[5];"
      " for (int t = 0; t < 5; ++t) { l[t] = a[i] * t; } a[i] = l[i % 5] + sqrt(l[2]) + (float)l[1] + (long long)l[3]; "
      "}",
      "__global__ void k(unsigned char *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; short h = a[i] * "
      "300;"
      " a[i] = (unsigned char)(h >> 3) + (a[i] > 30 ? 1 : a[n - 1 - i]); }",
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int x = a[i];"
      " x += __shfl_xor_sync(0xffffffff, x, 5); if (__any_sync(0xffffffff, x == 9)) { x = -x; } a[i] = x;"
      " atomicAdd(&a[0], 1); }",
      "__global__ void k(long long *a, int n) { long long i = blockIdx.x * blockDim.x + threadIdx.x;"
      " a[i] = i / (a[i] % 3) + i % (a[i] % 5) + (i << a[i] % 70) - n / 0; }",
  };
  for (const char* const text : kTexts) {
    SCOPED_TRACE(text);
    const Made one = made(text);
    EXPECT_EQ(whyEmulated(one), "");
    expectSame(one.program, one.launch);
  }
}

TEST(MachineCode, WhatGoesWrongIsSaidByTheEmulator) {
  const char* const kTexts[] = {
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i + 1] = i; }",
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = a[i * n * n]; }",
      "__global__ void k(int *a, int n) { if (threadIdx.x % 32 < 5) { __syncthreads(); } a[0] = 1; }",
      "__global__ void k(int *a, int n) { int i = 0; while (a[i] >= 0) { i = 1 - i; } a[0] = i; }",
      "__global__ void k(int *a, int n) { int l[4]; l[threadIdx.x] = 1; a[0] = l[n]; }",
  };
  for (const char* const text : kTexts) {
    SCOPED_TRACE(text);
    const Made one = made(text);
    expectSame(one.program, one.launch);
  }
}

TEST(MachineCode, BlocksThatStoreToTheSameElementAreExecutedInOrder) {
  const Made one = made("__global__ void k(int *a, int n) { a[threadIdx.x] = blockIdx.x; }", 48 * 64);
  for (int i = 0; i < 5; ++i) { expectSame(one.program, one.launch); }
}

TEST(MachineCode, WhatTheProcessorOrThisCompilerCannotDoIsNamed) {
  EXPECT_NE(whyEmulated(
                made("__global__ void k(int *a, int n) { while (atomicExch(&a[0], 1) != 0) {} a[1] += 1; a[0] = 0; }")),
            "");
}

/// The first of an operation, from there on.
Instruction& firstOf(Program& program, Opcode op, std::size_t from = 0) {
  while (program.code.at(from).op != op) { ++from; }
  return program.code[from];
}

RegisterId registerOf(const Program& program, const std::string& variable) {
  return std::ranges::find(program.variables, variable, &Variable::name)->reg;
}

// Stored programs may use a condition where a number is asked for.
TEST(MachineCode, ConditionsCountAsNumbers) {
  const char* const kText =
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; bool b = a[i] % 3 == 1;"
      " bool all = n > 5; int x = 7; if (i % 2) { x = 3; } a[i] = x + i / 7 + (n & i) * 3; }";
  for (const Opcode op : {Opcode::Assign, Opcode::Div, Opcode::And}) {
    for (const char* const condition : {"b", "all"}) {
      SCOPED_TRACE(testing::Message() << name(op) << " " << condition);
      Made one = made(kText);
      const RegisterId reg = registerOf(one.program, condition);
      const auto within = static_cast<std::size_t>(&firstOf(one.program, op == Opcode::Assign ? Opcode::If : op) -
                                                   one.program.code.data());
      Instruction& changed = firstOf(one.program, op, within);
      changed.a = reg;
      checkWellFormed(one.program);
      EXPECT_EQ(whyEmulated(one), "");
      expectSame(one.program, one.launch);
      if (op == Opcode::Div) {
        changed.b = reg;
        expectSame(one.program, one.launch);
      }
    }
  }
}

// The emulator has several intermediate results in one place, and computes for lanes that are not active, too. What a
// lane finds where it has written nothing itself is in no machine code.
TEST(MachineCode, IntermediateResultsAreALanesOwn) {
  const char* const kWhy = "intermediate results that nothing has computed";
  Made side = made(
      "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
      " float x = n > 2 ? a[i] : 1.0f; a[i] = x; }");
  EXPECT_EQ(whyEmulated(side), "");
  const auto otherwise = static_cast<std::size_t>(&firstOf(side.program, Opcode::Else) - side.program.code.data());
  firstOf(side.program, Opcode::Assign, otherwise).op = Opcode::Reinterpret;
  checkWellFormed(side.program);
  EXPECT_THAT(whyEmulated(side), testing::HasSubstr(kWhy));

  Made after = made(
      "__global__ void k(int *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; int s = 0;"
      " for (int t = 0; t < 3; ++t) { s += t * n; } a[i] = s; }");
  EXPECT_EQ(whyEmulated(after), "");
  const RegisterId product =
      firstOf(after.program, Opcode::Mul,
              static_cast<std::size_t>(&firstOf(after.program, Opcode::Loop) - after.program.code.data()))
          .dst;
  firstOf(after.program, Opcode::Store).b = product;
  checkWellFormed(after.program);
  EXPECT_THAT(whyEmulated(after), testing::HasSubstr(kWhy));
}

TEST(MachineCode, SweepsTakeTurns) {
  const Made one = made(
      "__global__ void k(int *a, int *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;"
      " b[i] = a[i] * 3 + a[n - 1 - i]; }");
  const machine::Series series{.sweeps = 5, .objects = {0, 1}, .successors = {1, 0}};
  Launch emulated = one.launch, compiled = one.launch;
  machine::setPolicy(machine::Policy::Emulator);
  static_cast<void>(machine::execute(one.program, emulated, {}, series));
  const MachineOnly only;
  static_cast<void>(machine::execute(one.program, compiled, {}, series));
  EXPECT_EQ(compiled.arrays[0].bytes, emulated.arrays[0].bytes);
  EXPECT_EQ(compiled.arrays[1].bytes, emulated.arrays[1].bytes);
  EXPECT_NE(compiled.arrays[0].bytes, one.launch.arrays[0].bytes);
}

}  // namespace
}  // namespace haloscope
