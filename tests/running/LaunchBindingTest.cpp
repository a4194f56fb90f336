#include "running/LaunchBinding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "frontend/Frontend.h"
#include "program/SourceLocation.h"
#include "running/LaunchExecution.h"

namespace haloscope::running {
namespace {

LaunchedKernel kernelOf(const std::string& text) {
  LaunchedKernel kernel;
  kernel.program = std::make_shared<const Program>(
      frontend::compile("test.cu", text, {.defines = {}, .kernel = "", .executed = true}).program);
  return kernel;
}

/// Arguments of a launch, one after the other.
class Arguments {
 public:
  template <typename Value>
  Arguments& add(const Value& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }
  operator std::span<const std::byte>() const { return bytes_; }  // NOLINT(google-explicit-constructor): as it is used

 private:
  std::vector<std::byte> bytes_;
};

constexpr const char* kCopy =
    "__global__ void copy(const float* in, float* out, int n) { out[threadIdx.x] = in[threadIdx.x + n]; }";
constexpr LaunchConfiguration kConfiguration{.grid = {1, 1, 1}, .block = {32, 1, 1}};

TEST(LaunchBinding, GivesEachAllocationAnObjectAndTakesItsBytes) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t in = *memory.allocate(128, {});
  const std::uint64_t out = *memory.allocate(256, {});

  BoundLaunch bound = bind(kernelOf(kCopy), kConfiguration, Arguments().add(in).add(out).add(7), memory);

  ASSERT_EQ(bound.pointers.size(), 2U);
  EXPECT_NE(bound.pointers[0].object, bound.pointers[1].object);
  EXPECT_EQ(bound.launch.arrays[bound.pointers[0].object].bytes.size(), 128U);
  EXPECT_EQ(bound.launch.arrays[bound.pointers[1].object].extents, std::vector<std::int64_t>{64});
  EXPECT_EQ(bound.launch.arguments[2], 7U);
  EXPECT_TRUE(memory.at(0).bytes.empty());

  unbind(bound, memory);
  EXPECT_EQ(memory.at(0).bytes.size(), 128U);
  EXPECT_EQ(memory.at(1).bytes.size(), 256U);
}

TEST(LaunchBinding, ParametersThatPointIntoOneAllocationShareAnObject) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t array = *memory.allocate(256, {});

  BoundLaunch bound = bind(kernelOf(kCopy), kConfiguration, Arguments().add(array + 8).add(array).add(0), memory);

  EXPECT_EQ(bound.pointers[0].object, bound.pointers[1].object);
  EXPECT_EQ(bound.launch.offsets[0], 8);
  EXPECT_EQ(bound.launch.offsets[1], 0);
  EXPECT_EQ(bound.allocations.size(), 1U);
  EXPECT_FALSE(bound.program->objects[bound.pointers[0].object].readOnly) << "one of them is not const";
  unbind(bound, memory);
}

TEST(LaunchBinding, NullFreedAndHostAddressesPointToNothing) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t freed = *memory.allocate(256, {});
  memory.free(0, {});

  BoundLaunch bound =
      bind(kernelOf(kCopy), kConfiguration, Arguments().add(freed).add(std::uint64_t{0}).add(0), memory);
  EXPECT_EQ(bound.launch.offsets[0], std::nullopt);
  EXPECT_TRUE(bound.pointers[0].place);
  EXPECT_FALSE(bound.pointers[0].isNull);
  EXPECT_EQ(bound.launch.offsets[1], std::nullopt);
  EXPECT_TRUE(bound.pointers[1].isNull);
  unbind(bound, memory);

  bound = bind(kernelOf(kCopy), kConfiguration, Arguments().add(&memory).add(freed).add(0), memory);
  EXPECT_FALSE(bound.pointers[0].place);
  EXPECT_FALSE(bound.pointers[0].isNull);
  unbind(bound, memory);
}

TEST(LaunchBinding, PointersInAStructAreBoundOneByOne) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t in = *memory.allocate(128, {});
  const std::uint64_t out = *memory.allocate(128, {});
  struct Task {
    std::uint64_t in;
    int n;
    std::uint64_t out;
  };

  BoundLaunch bound = bind(kernelOf("struct Task { const double* in; int n; double* out; };\n"
                                    "__global__ void f(Task t) { t.out[t.n] = t.in[0]; }"),
                           kConfiguration, Arguments().add(Task{in + 16, 5, out}), memory);

  ASSERT_EQ(bound.pointers.size(), 2U);
  EXPECT_EQ(bound.pointers[0].parameter, "t.in");
  EXPECT_EQ(bound.pointers[0].place->offset, 16);
  EXPECT_EQ(bound.pointers[1].place->allocation, 1U);
  EXPECT_EQ(bound.launch.arguments[1], 5U);
  unbind(bound, memory);
}

TEST(LaunchBinding, TablesOfPointersAreFollowedAndRestored) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t row = *memory.allocate(64, {});
  const std::uint64_t table = *memory.allocate(4 * sizeof(std::uint64_t), {});
  const std::array<std::uint64_t, 4> entries{row + 4, 0, table, 0x7f0000001000};
  std::memcpy(memory.bytesOf(1).data(), entries.data(), sizeof entries);

  BoundLaunch bound = bind(kernelOf("__global__ void f(float** rows) { rows[0][threadIdx.x] = 1; rows[1] = rows[0]; }"),
                           kConfiguration, Arguments().add(table), memory);

  const ObjectId object = bound.pointers[0].object;
  std::array<std::uint64_t, 4> pointers{};
  std::memcpy(pointers.data(), bound.launch.arrays[object].bytes.data(), sizeof pointers);
  EXPECT_EQ(PackedPointer::byteOffset(pointers[0]), 4);
  EXPECT_EQ(bound.program->objects.at(PackedPointer::object(pointers[0])).name, "rows[0]");
  EXPECT_EQ(pointers[1], PackedPointer::kNull);
  EXPECT_EQ(PackedPointer::object(pointers[2]), object);
  EXPECT_GE(PackedPointer::object(pointers[3]), bound.program->objects.size()) << "an address of the host's";

  // As the kernel does.
  pointers[1] = pointers[0] + 8;
  std::memcpy(bound.launch.arrays[object].bytes.data(), pointers.data(), sizeof pointers);
  unbind(bound, memory);
  std::array<std::uint64_t, 4> after{};
  std::memcpy(after.data(), memory.at(1).bytes.data(), sizeof after);
  EXPECT_EQ(after, (std::array<std::uint64_t, 4>{row + 4, row + 12, table, 0x7f0000001000}));
  EXPECT_EQ(memory.at(0).bytes.size(), 64U);
}

TEST(LaunchBinding, VariablesAreThoseOfTheKernelsOwnFile) {
  DeviceMemory memory(1 << 20);
  const std::vector<std::byte> bytes(12);
  memory.addVariable("filter", 0, bytes, true);
  memory.addVariable("filter", 1, bytes, true);
  LaunchedKernel kernel = kernelOf("__constant__ float filter[3];\n__global__ void f(float* o) { *o = filter[1]; }");
  for (const std::uint32_t file : {0U, 1U}) {
    kernel.fileIndex = file;
    BoundLaunch bound = bind(kernel, kConfiguration, Arguments().add(std::uint64_t{0}), memory);
    ASSERT_EQ(bound.allocations.size(), 1U);
    EXPECT_EQ(bound.allocations[0].second, file);
    unbind(bound, memory);
  }
}

TEST(LaunchBinding, RefusesArgumentsOfAnotherSizeAndLeavesTheMemory) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t in = *memory.allocate(128, {});
  EXPECT_THROW(static_cast<void>(bind(kernelOf(kCopy), kConfiguration, Arguments().add(in), memory)), InputError);
  const LaunchedKernel missing = kernelOf("__device__ int d;\n__global__ void f(float* o) { *o = d; }");
  EXPECT_THROW(static_cast<void>(bind(missing, kConfiguration, Arguments().add(in), memory)), InputError);
  EXPECT_EQ(memory.at(0).bytes.size(), 128U);
}

TEST(LaunchExecution, WhatEndsTheProgramIsSeenInABlockThatWasNotChecked) {
  DeviceMemory memory(1 << 24);
  const std::uint64_t in = *memory.allocate(1000 * 32 * sizeof(float), {});
  const std::uint64_t out = *memory.allocate(1000 * 32 * sizeof(float), {});
  std::ranges::fill(memory.bytesOf(0), std::byte{0});
  const LaunchedKernel kernel = kernelOf(
      "__global__ void sum(const float* in, float* out) {\n"
      "  int i = blockIdx.x * 32 + threadIdx.x;\n"
      "  out[i] = in[i] + in[i + 1];\n"
      "  if (blockIdx.x == 700) out[i] += in[i + 100000000];\n"
      "}");
  const LaunchConfiguration configuration{.grid = {1000, 1, 1}, .block = {32, 1, 1}};
  BoundLaunch bound = bind(kernel, configuration, Arguments().add(in).add(out), memory);

  const LaunchOutcome outcome = execute(bound, {.instructions = 10'000'000, .checked = 1000});

  EXPECT_LT(outcome.checkedBlocks, 1000U);
  ASSERT_EQ(outcome.findings.size(), 2U) << "of the nearer overrun, and of the one far outside";
  EXPECT_EQ(outcome.findings[0].where.line, 3);
  EXPECT_FALSE(outcome.findings[0].illegalAddress);
  EXPECT_EQ(outcome.findings[1].where.line, 4);
  EXPECT_TRUE(outcome.findings[1].illegalAddress);
}

TEST(LaunchExecution, CopiesNoMoreThanItMay) {
  const LaunchedKernel kernel = kernelOf(
      "__global__ void add(const float* in, float* out) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
      "out[i] = in[i] + 1; }");
  constexpr std::uint64_t kBytes = std::uint64_t{64} * 32 * 4;
  const auto outcomeWith = [&](std::uint64_t bytes, std::uint64_t checked) {
    DeviceMemory memory(1 << 20);
    const std::uint64_t in = *memory.allocate(kBytes, {});
    const std::uint64_t out = *memory.allocate(kBytes, {});
    std::ranges::fill(memory.bytesOf(0), std::byte{0});
    BoundLaunch bound = bind(kernel, {.grid = {64, 1, 1}, .block = {32, 1, 1}}, Arguments().add(in).add(out), memory);
    LaunchOutcome outcome =
        execute(bound, {.instructions = 1'000'000, .checked = checked, .bytes = bytes, .workers = 1});
    unbind(bound, memory);
    float last = 0;
    std::memcpy(&last, memory.at(1).bytes.data() + kBytes - sizeof last, sizeof last);
    EXPECT_EQ(last, 1.0F) << "all of it is executed in any case";
    EXPECT_EQ(outcome.blocks, 64U);
    EXPECT_GT(outcome.instructions, 0U);
    return outcome;
  };
  // Two copies for the checks, and a third where not all blocks are checked.
  constexpr std::uint64_t kAll = 1'000'000, kFew = 100;
  EXPECT_TRUE(outcomeWith(2 * kBytes - 1, kAll).tooLarge);
  EXPECT_FALSE(outcomeWith(2 * kBytes - 1, kAll).checked);
  EXPECT_TRUE(outcomeWith(2 * kBytes, kAll).checked);
  EXPECT_TRUE(outcomeWith(3 * kBytes - 1, kFew).tooLarge) << "what some blocks change is undone";
  EXPECT_TRUE(outcomeWith(3 * kBytes, kFew).checked);
}

TEST(LaunchExecution, WithoutCopiesEndsWithItsBudget) {
  DeviceMemory memory(1 << 20);
  const std::uint64_t out = *memory.allocate(64 * 32 * 4, {});
  BoundLaunch bound =
      bind(kernelOf("__global__ void ones(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }"),
           {.grid = {64, 1, 1}, .block = {32, 1, 1}}, Arguments().add(out), memory);
  const LaunchOutcome outcome = execute(bound, {.instructions = 100, .checked = 100, .bytes = 0, .workers = 1});
  EXPECT_EQ(outcome.problem, "") << "as a launch that is too long: what was not executed is left out";
  EXPECT_LT(outcome.blocks, 64U);
  EXPECT_GT(outcome.instructions, 100U) << "of all blocks";
}

}  // namespace
}  // namespace haloscope::running
