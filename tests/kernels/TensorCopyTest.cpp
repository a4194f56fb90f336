#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "LaunchOutput.h"
#include "catalogue/KernelFile.h"
#include "experiment/InputData.h"
#include "frontend/Frontend.h"
#include "program/TensorMap.h"

// Tensor copies (TMA), whose CUtensorMap describes an array and the box of it that one copy moves.

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kThreads = 32;
constexpr std::int64_t kWidth = 12, kHeight = 6, kElements = kWidth * kHeight;

/// Copies the box at `x`, `y` of `in` into `tile`, and the tile to `out`.
std::string copying(const std::string& copy, const std::string& tile = "tile") {
  return R"(#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>
namespace cde = cuda::device::experimental;
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(int* out, const int* in, const __grid_constant__ CUtensorMap map, int x, int y) {
  __shared__ alignas(128) int tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0) { init(&bar, blockDim.x); cde::fence_proxy_async_shared_cta(); }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    )" + copy +
         R"(
    token = cuda::device::barrier_arrive_tx(bar, 1, 32 * sizeof(int));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  out[threadIdx.x] = )" +
         tile + R"([threadIdx.x];
})";
}

const std::string kCopy = "cde::cp_async_bulk_tensor_2d_global_to_shared(tile, &map, x, y, bar);";

/// `in` holds 1, 2, 3 …; the box has 4 rows of 8 elements. `columns`: of the array, the rest of its rows is padding.
SmallLaunch launchOf(const std::string& text, int x, int y, std::int64_t columns = kWidth) {
  SmallLaunch kernel(text, {1, 1, 1}, {kThreads, 1, 1}, kElements);
  Program& program = kernel.program;
  const ObjectId in = program.findObject("in");
  for (std::int32_t i = 0; i < kElements; ++i) {
    const std::int32_t value = i + 1;
    std::memcpy(&kernel.launch.arrays[in].bytes[sizeof value * static_cast<std::size_t>(i)], &value, sizeof value);
  }
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (program.parameters[i].name == "x") { kernel.launch.arguments[i] = static_cast<std::uint32_t>(x); }
    if (program.parameters[i].name == "y") { kernel.launch.arguments[i] = static_cast<std::uint32_t>(y); }
  }
  TensorMap map;
  map.base = PackedPointer::pack(in, 0);
  map.sizes = {static_cast<std::uint64_t>(columns), kHeight};
  map.strides = {kWidth * 4};
  map.box = {8, 4};
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    if (!program.objects[id].tensorMap) { continue; }
    kernel.launch.arrays[id] = {ValueType::Pointer, {static_cast<std::int64_t>(TensorMap::kWords)}, map.words()};
  }
  return kernel;
}

std::vector<std::int32_t> boxAt(int x, int y, std::int64_t columns) {
  std::vector<std::int32_t> box;
  for (int j = y; j < y + 4; ++j) {
    for (int i = x; i < x + 8; ++i) {
      const bool inside = i >= 0 && i < columns && j >= 0 && j < kHeight;
      box.push_back(inside ? static_cast<std::int32_t>(j * kWidth + i + 1) : 0);
    }
  }
  return box;
}

void expectBox(const std::string& text, int x, int y, std::int64_t columns = kWidth) {
  SmallLaunch kernel = launchOf(text, x, y, columns);
  std::vector<std::int32_t> output = outputOf(kernel, {});
  output.resize(kThreads);
  EXPECT_EQ(output, boxAt(x, y, columns)) << x << ", " << y;
  const std::vector<Finding> findings = launchOf(text, x, y, columns).faults();
  EXPECT_THAT(kindsOf(findings), IsEmpty()) << findings.front().message;
}

TEST(TensorCopy, MovesABoxAndFillsWithZerosWhatIsOutside) {
  expectBox(copying(kCopy), 0, 0);
  expectBox(copying(kCopy), 4, 1);
  expectBox(copying(kCopy), -4, -1);
  expectBox(copying(kCopy), 8, 4);
  expectBox(copying(kCopy), 100, 0);
}

TEST(TensorCopy, AnArrayMayEndWithinAVector) {
  for (const std::int64_t columns : {9, 10, 11}) {
    expectBox(copying(kCopy), 8, 1, columns);
    expectBox(copying(kCopy), 4, -1, columns);
    expectBox(copying(kCopy), -4, 0, columns);
  }
}

TEST(TensorCopy, ThroughPtxsFunctions) {
  const std::string copy = R"(const int32_t at[2] = {x, y};
    cuda::ptx::cp_async_bulk_tensor(cuda::ptx::space_cluster, cuda::ptx::space_global, tile, &map, at,
                                    cuda::device::barrier_native_handle(bar));)";
  expectBox(copying(copy), -4, 3);
}

std::string messageOf(const std::string& text, FindingKind kind, int x = 0) {
  const std::vector<Finding> findings = launchOf(text, x, 0).faults();
  for (const Finding& finding : findings) {
    if (finding.kind == kind) { return finding.message; }
  }
  return findings.empty() ? "nothing is found" : findings.front().message;
}

TEST(TensorCopy, ItsDestinationIsAligned) {
  const std::string copy = "cde::cp_async_bulk_tensor_2d_global_to_shared(tile + 4, &map, x, y, bar);";
  EXPECT_THAT(messageOf(copying(copy), FindingKind::FailedAssertion), HasSubstr("% 128 == 0 fails"));
}

TEST(TensorCopy, ItsColumnsBeginAtMultiplesOf16Bytes) {
  const std::string what = "first column % 16 == 0 fails";
  EXPECT_THAT(messageOf(copying(kCopy), FindingKind::FailedAssertion, -1), HasSubstr(what));
  EXPECT_THAT(messageOf(copying(kCopy), FindingKind::FailedAssertion, 2), HasSubstr(what));
}

TEST(TensorCopy, HasTheDimensionsOfItsMap) {
  const std::string copy = "cde::cp_async_bulk_tensor_3d_global_to_shared(tile, &map, x, y, 0, bar);";
  EXPECT_THAT(messageOf(copying(copy), FindingKind::FailedAssertion), HasSubstr("as many coordinates as its map"));
}

TEST(TensorCopy, OtherBytesThanExpectedAreWaitedForInVain) {
  std::string text = copying(kCopy);
  text.replace(text.find("32 * sizeof(int)"), 16, "31 * sizeof(int)");
  SmallLaunch kernel = launchOf(text, 0, 0);
  const simt::ExecuteResult result = simt::execute(kernel.program, kernel.launch, {}, {});
  EXPECT_EQ(result.outcome, simt::Outcome::Endless);
  EXPECT_THAT(result.message, HasSubstr("let it expect as many bytes as are copied"));
}

TEST(TensorMap, IsReadAsItWasWritten) {
  TensorMap map;
  map.base = PackedPointer::pack(3, 32);
  map.elementBytes = 8;
  map.sizes = {1'000'000, 33, 7, 2, 5};
  map.strides = {8'000'000, 264'000'000, 1'848'000'000, 3'696'000'000};
  map.box = {256, 1, 200, 3, 2};
  map.elementStrides = {1, 8, 1, 2, 1};
  const auto read = TensorMap::read(map.words());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->base, map.base);
  EXPECT_EQ(read->elementBytes, map.elementBytes);
  EXPECT_EQ(read->sizes, map.sizes);
  EXPECT_EQ(read->strides, map.strides);
  EXPECT_EQ(read->box, map.box);
  EXPECT_EQ(read->elementStrides, map.elementStrides);
}

TEST(TensorMap, WhatTheDriverRefusesIsNamed) {
  TensorMap map;
  map.sizes = {64, 64};
  map.strides = {256};
  map.box = {32, 8};
  EXPECT_EQ(map.problem(), "");
  EXPECT_TRUE(map.isAligned());
  map.box = {32, 257};
  EXPECT_THAT(map.problem(), HasSubstr("257 elements"));
  map.box = {30, 8};
  EXPECT_THAT(map.problem(), HasSubstr("rows of 120 bytes"));
  map.strides = {260};
  EXPECT_FALSE(map.isAligned());
}

/// A header with a box, and what makeLaunch() says.
std::string launchProblem(const std::string& arrays, std::int64_t n) {
  const std::string text =
      "/* haloscope\ntitle: t\nidea: i\norder: 1\nsizes:\n  N: {default: 16, min: 1, max: 64, "
      "meaning: m}\narrays:\n  in: " +
      arrays + R"(
  out: {shape: [N]}
launch:
  grid: [1, 1, 1]
  block: [32, 1, 1]
*/
#include <cuda.h>
__global__ void k(const __grid_constant__ CUtensorMap map, const float* in, float* out, int N) { out[0] = in[0]; }
)";
  try {
    const KernelFile file = KernelFile::parse("beyond/t", "t.cu", text);
    const Bindings bindings = file.bind({{"N", n}});
    const Program program = frontend::compile("t.cu", text, frontend::optionsOf(file, bindings)).program;
    const Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
    for (ObjectId id = 0; id < program.objects.size(); ++id) {
      if (!program.objects[id].tensorMap) { continue; }
      return TensorMap::read(launch.arrays[id].bytes) ? "a map" : "no map";
    }
    return "no parameter";
  } catch (const UserError& refused) { return refused.what(); }
}

TEST(TensorMap, IsMadeFromTheHeader) {
  EXPECT_EQ(launchProblem("{shape: [N, N], tensor_map: map, box: [4, 8]}", 16), "a map");
  EXPECT_EQ(launchProblem("{shape: [N, N], tensor_map: map, box: [4, 8]}", 15), "no map");
  EXPECT_THAT(launchProblem("{shape: [N, N], tensor_map: map, box: [4, 300]}", 16), HasSubstr("300 elements"));
  EXPECT_THAT(launchProblem("{shape: [N, N], tensor_map: map, box: [4]}", 16), HasSubstr("box"));
  EXPECT_THAT(launchProblem("{shape: [N, N], tensor_map: other, box: [4, 8]}", 16),
              HasSubstr("does not say of which array \"map\" is the map"));
}

}  // namespace
}  // namespace haloscope::test
