#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "FaultSupport.h"
#include "provenance/OutputTrace.h"
#include "simt/Executor.h"

// Collective operations of a warp: shuffles, votes, warp barriers, cooperative groups, atomics.

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::HasSubstr;

/// Runs a kernel with `int* in, int* out` in one block; `in` holds the given values.
std::vector<std::int32_t> run(const std::string& text, const std::vector<std::int32_t>& in, std::size_t outputs,
                              Dim3 block = {32, 1, 1}) {
  SmallLaunch kernel(text, {1, 1, 1}, block, 1);
  const auto give = [&](const char* name, const std::vector<std::int32_t>& values) {
    ArrayData& array = kernel.launch.arrays[kernel.program.findObject(name)];
    array.extents = {static_cast<std::int64_t>(values.size())};
    array.bytes.resize(values.size() * sizeof(std::int32_t));
    std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  };
  give("in", in);
  give("out", std::vector<std::int32_t>(outputs, -77));
  const simt::ExecuteResult result = simt::execute(kernel.program, kernel.launch);
  EXPECT_EQ(result.outcome, simt::Outcome::Finished) << result.message;
  EXPECT_EQ(result.outOfBounds, 0U) << result.firstOutOfBoundsMessage;
  std::vector<std::int32_t> out(outputs);
  std::memcpy(out.data(), kernel.launch.arrays[kernel.program.findObject("out")].bytes.data(),
              outputs * sizeof(std::int32_t));
  return out;
}

std::vector<std::int32_t> counted(std::size_t n, const std::function<std::int32_t(std::int32_t)>& value) {
  std::vector<std::int32_t> all;
  for (std::size_t i = 0; i < n; ++i) { all.push_back(value(static_cast<std::int32_t>(i))); }
  return all;
}

std::string shuffleKernel(const std::string& call) {
  return "__global__ void k(const int* in, int* out) {\n  int v = in[threadIdx.x];\n  out[threadIdx.x] = " + call +
         ";\n}\n";
}

/// The PTX manual's pseudocode of shfl.sync, with the operands that CUDA's functions give it.
int ptxSource(const std::string& mode, int lane, int operand, int width) {
  const int segment = 32 - width;  // the mask of the lane bits that stay
  const int clamp = mode == "up" ? 0 : 31;
  const int maxLane = (lane & segment) | (clamp & ~segment & 31);
  const int minLane = lane & segment;
  const int b = operand & 31;
  int from = 0;
  bool inside = false;
  if (mode == "up") {
    from = lane - b;
    inside = from >= maxLane;
  } else if (mode == "down") {
    from = lane + b;
    inside = from <= maxLane;
  } else if (mode == "xor") {
    from = lane ^ b;
    inside = from <= maxLane;
  } else {
    from = minLane | (b & ~segment & 31);
    inside = from <= maxLane;
  }
  return inside ? from : lane;
}

TEST(Shuffle, TakesTheLaneThatThePtxManualNames) {
  for (const std::string mode : {"", "up", "down", "xor"}) {
    for (const int width : {1, 2, 4, 8, 16, 32}) {
      for (const int operand : {0, 1, 3, 7, 16, 31, 33}) {
        const std::string name = "__shfl_" + mode + (mode.empty() ? "sync" : "_sync");
        const std::string call =
            name + "(0xffffffff, v, " + std::to_string(operand) + ", " + std::to_string(width) + ")";
        const auto expected = counted(32, [&](int lane) { return 100 + 7 * ptxSource(mode, lane, operand, width); });
        EXPECT_EQ(run(shuffleKernel(call), counted(32, [](int i) { return 100 + 7 * i; }), 32), expected) << call;
      }
    }
  }
}

TEST(Shuffle, EachLaneMayAskAnotherOneOfAnyType) {
  const std::string text = R"(__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  int next = __shfl_sync(0xffffffff, in[t], in[31 - t]);
  double wide = __shfl_xor_sync(0xffffffff, t * 1.5, 1);
  long long big = __shfl_down_sync(0xffffffff, (long long)t << 33, 2, 4);
  float narrow = __shfl_up_sync(0xffffffff, t + 0.5f, 1);
  out[t] = next * 1000000 + (int)(wide * 2) * 1000 + (int)(big >> 33) * 4 + (int)narrow % 4;
})";
  const auto in = counted(32, [](int i) { return (i * 5 + 3) % 32; });
  const auto expected = counted(32, [&](int t) {
    const int next = in[static_cast<std::size_t>(in[static_cast<std::size_t>(31 - t)])];
    const int big = t % 4 + 2 < 4 ? t + 2 : t;
    const int narrow = t == 0 ? 0 : t - 1;
    return next * 1000000 + (t ^ 1) * 3 * 1000 + big * 4 + narrow % 4;
  });
  EXPECT_EQ(run(text, in, 32), expected);
}

TEST(Shuffle, ALaneThatIsNotThereGivesNothing) {
  const std::string text = R"(__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  int v = in[t];
  if (t < 20) out[t] = __shfl_down_sync(0xffffffff, v, 8);
  else out[t] = __shfl_up_sync(0x00ffffff, v, 1);
})";
  const auto in = counted(32, [](int i) { return 10 + i; });
  const auto expected = counted(32, [](int t) {
    if (t < 20) return t + 8 < 20 ? 18 + t : -1;
    return t > 20 && t < 24 ? 9 + t : -1;
  });
  EXPECT_EQ(run(text, in, 32), expected);
}

TEST(Vote, CountsTheLanesThatAreHereAndInTheMask) {
  const std::string text = R"(__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  if (t >= 4) {
    out[t] = __ballot_sync(0x0000ffff, in[t]);
    out[32 + t] = __any_sync(0xffffffff, in[t] > 2) * 10 + __all_sync(0xfffffff0, in[t] < 9);
    out[64 + t] = __activemask();
    unsigned mask = t < 16 ? 0x0000fff0 : 0xffff0000;
    out[96 + t] = __any_sync(mask, t == 20) + 2 * __all_sync(mask, t >= 16);
  }
})";
  const auto in = counted(32, [](int i) { return i == 2 || i == 5 || i == 9 || i == 20 ? 1 : 0; });
  const std::vector<std::int32_t> out = run(text, in, 128);
  EXPECT_EQ(out[3], -77);
  for (std::size_t t = 4; t < 32; ++t) {
    EXPECT_EQ(out[t], (1 << 5) | (1 << 9)) << t;
    EXPECT_EQ(out[32 + t], 1) << t;
    EXPECT_EQ(static_cast<std::uint32_t>(out[64 + t]), 0xfffffff0U) << t;
    EXPECT_EQ(out[96 + t], t < 16 ? 0 : 3) << t;
  }
}

TEST(BitFunctions, AgreeWithTheHost) {
  const std::string text = R"(__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  int x = in[t];
  long long wide = (long long)x * 4294967311ll;
  out[t] = __popc(x); out[32 + t] = __clz(x); out[64 + t] = __ffs(x); out[96 + t] = __brev(x);
  out[128 + t] = __popcll(wide); out[160 + t] = __clzll(wide); out[192 + t] = __ffsll(wide);
  out[224 + t] = (int)(__brevll(wide) >> 20);
})";
  auto in = counted(32, [](int i) { return static_cast<std::int32_t>(static_cast<unsigned>(i) * 2654435761U); });
  in[1] = 1;
  in[2] = -1;
  in[3] = std::numeric_limits<std::int32_t>::min();
  const std::vector<std::int32_t> out = run(text, in, 256);
  for (std::size_t t = 0; t < 32; ++t) {
    const auto x = static_cast<std::uint32_t>(in[t]);
    const auto wide = static_cast<std::uint64_t>(std::int64_t{in[t]}) * 4294967311ULL;
    std::uint32_t reversed = 0;
    for (int bit = 0; bit < 32; ++bit) { reversed |= (x >> bit & 1U) << (31 - bit); }
    std::uint64_t wideReversed = 0;
    for (int bit = 0; bit < 64; ++bit) { wideReversed |= (wide >> bit & 1U) << (63 - bit); }
    EXPECT_EQ(out[t], std::popcount(x));
    EXPECT_EQ(out[32 + t], std::countl_zero(x));
    EXPECT_EQ(out[64 + t], x == 0 ? 0 : std::countr_zero(x) + 1);
    EXPECT_EQ(static_cast<std::uint32_t>(out[96 + t]), reversed);
    EXPECT_EQ(out[128 + t], std::popcount(wide));
    EXPECT_EQ(out[160 + t], std::countl_zero(wide));
    EXPECT_EQ(out[192 + t], wide == 0 ? 0 : std::countr_zero(wide) + 1);
    EXPECT_EQ(static_cast<std::uint32_t>(out[224 + t]), static_cast<std::uint32_t>(wideReversed >> 20));
  }
}

TEST(CooperativeGroups, TilesStayAmongThemselves) {
  const std::string text = R"(#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__device__ int spread(const cg::thread_block_tile<8>& tile, int v) { return tile.shfl(v, 3); }
__global__ void k(const int* in, int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  auto pair = cg::tiled_partition<2>(tile);
  int t = block.thread_rank();
  int v = in[t];
  out[t] = spread(tile, v);
  out[96 + t] = tile.ballot(v % 3 == 0);
  out[192 + t] = cg::reduce(tile, v, cg::plus<int>()) * 100 + cg::reduce(tile, v, cg::greater<int>());
  out[288 + t] = tile.meta_group_rank() * 1000 + tile.thread_rank() * 100 + tile.size() * 10 + pair.any(v == 7);
  out[384 + t] = block.thread_index().y * 1000 + block.size() + tile.meta_group_size();
})";
  const auto in = counted(96, [](int i) { return i % 13; });
  const std::vector<std::int32_t> out = run(text, in, 480, {48, 2, 1});
  for (std::size_t t = 0; t < 96; ++t) {
    const std::size_t first = t / 8 * 8;
    std::int32_t sum = 0;
    std::int32_t most = 0;
    std::int32_t ballot = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      sum += in[first + i];
      most = std::max(most, in[first + i]);
      ballot |= in[first + i] % 3 == 0 ? 1 << i : 0;
    }
    EXPECT_EQ(out[t], in[first + 3]);
    EXPECT_EQ(out[96 + t], ballot);
    EXPECT_EQ(out[192 + t], sum * 100 + most);
    const bool seven = in[t / 2 * 2] == 7 || in[t / 2 * 2 + 1] == 7;
    EXPECT_EQ(out[288 + t], static_cast<std::int32_t>(t / 8 * 1000 + t % 8 * 100 + 80 + (seven ? 1 : 0)));
    EXPECT_EQ(out[384 + t], static_cast<std::int32_t>(t / 48 * 1000 + 96 + 12));
  }
}

TEST(CooperativeGroups, CoalescedThreadsAreThoseThatTookTheBranch) {
  const std::string text = R"(#include <cooperative_groups.h>
__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  if (in[t] > 0) {
    auto active = cooperative_groups::coalesced_threads();
    out[t] = active.thread_rank() * 100 + active.size() + 1000 * active.any(t == 9);
  }
})";
  const auto in = counted(32, [](int i) { return i % 3 == 0 ? 1 : 0; });
  const std::vector<std::int32_t> out = run(text, in, 32);
  for (std::size_t t = 0; t < 32; ++t) {
    EXPECT_EQ(out[t], t % 3 == 0 ? static_cast<std::int32_t>(t / 3 * 100 + 11 + 1000) : -77);
  }
}

TEST(Atomics, WorkLaneByLane) {
  const std::string text = R"(__global__ void k(const int* in, int* out) {
  int t = threadIdx.x;
  unsigned* u = (unsigned*)out;
  int v = in[t];
  if (t == 0) { for (int i = 0; i < 16; ++i) out[i] = 6; out[9] = 100; out[11] = 12; }
  __syncthreads();
  atomicAdd(&out[0], v); atomicSub_block(&out[1], v); atomicMin(&out[2], v); atomicMax(&out[3], v);
  atomicMin(&u[4], (unsigned)v); atomicMax(&u[5], (unsigned)v);
  atomicAnd(&out[6], v | 3); atomicOr(&out[7], v & 24); atomicXor_system(&out[8], v);
  atomicInc(&u[9], 40u); atomicDec(&u[10], 20u);
  int was = atomicCAS(&out[11], 12 + t, 13 + t);
  int before = atomicExch(&out[12], t);
  out[16 + t] = was; out[48 + t] = before;
})";
  const auto in = counted(32, [](int i) { return (i * 37) % 64 - 20; });
  const std::vector<std::int32_t> out = run(text, in, 80);
  std::array<std::int32_t, 13> expected{6, 6, 6, 6, 6, 6, 6, 6, 6, 100, 6, 12, 6};
  std::array<std::uint32_t, 13> u{};
  u.fill(6);
  u[9] = 100;
  for (int t = 0; t < 32; ++t) {
    const std::int32_t v = in[static_cast<std::size_t>(t)];
    expected[0] += v;
    expected[1] -= v;
    expected[2] = std::min(expected[2], v);
    expected[3] = std::max(expected[3], v);
    u[4] = std::min(u[4], static_cast<std::uint32_t>(v));
    u[5] = std::max(u[5], static_cast<std::uint32_t>(v));
    expected[6] &= v | 3;
    expected[7] |= v & 24;
    expected[8] ^= v;
    u[9] = u[9] >= 40 ? 0 : u[9] + 1;
    u[10] = u[10] == 0 || u[10] > 20 ? 20 : u[10] - 1;
    EXPECT_EQ(out[static_cast<std::size_t>(16 + t)], 12 + t);
    EXPECT_EQ(out[static_cast<std::size_t>(48 + t)], t == 0 ? 6 : t - 1);
  }
  for (const std::size_t i : {4U, 5U, 9U, 10U}) { expected[i] = static_cast<std::int32_t>(u[i]); }
  expected[11] = 12 + 32;
  expected[12] = 31;
  for (std::size_t i = 0; i < expected.size(); ++i) { EXPECT_EQ(out[i], expected[i]) << i; }
}

TEST(Atomics, SixtyFourBitsAndFloats) {
  const std::string text = R"(__global__ void k(const int* in, int* out) {
  __shared__ long long least; __shared__ unsigned long long bits; __shared__ double sum; __shared__ float last;
  int t = threadIdx.x;
  if (t == 0) { least = 1ll << 40; bits = 0; sum = 0.0; last = 0.0f; }
  __syncthreads();
  atomicMin(&least, ((long long)in[t] << 32) - 1);
  atomicOr(&bits, 1ull << (t + 20));
  atomicAdd(&sum, 0.25 * in[t]);
  float was = atomicExch(&last, t + 0.5f);
  __syncthreads();
  out[t] = (int)(least >> 32) * 1000 + (int)(bits >> 48) % 1000;
  out[32 + t] = (int)(sum * 4);
  out[64 + t] = (int)(was * 2);
})";
  const auto in = counted(32, [](int i) { return 40 - i; });
  const std::vector<std::int32_t> out = run(text, in, 96);
  std::int32_t sum = 0;
  for (const std::int32_t v : in) { sum += v; }
  EXPECT_EQ(out[5], 8 * 1000 + 15);
  EXPECT_EQ(out[32], sum);
  EXPECT_EQ(out[64 + 7], 13);
}

// --- analyses

TEST(Initialisation, AShuffleFromALaneThatTakesNoPartIsNamed) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  float v = in[threadIdx.x];
  if (threadIdx.x >= 16) return;  // a mask may name lanes that have left
  out[threadIdx.x] = __shfl_down_sync(0xffffffff, v, 4);
})",
                           {1, 1, 1}, {32, 1, 1}, 32);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::Uninitialized);
  EXPECT_EQ(
      found[0].text(),
      "the value of lane 16 is read by thread (12,0,0) of block (0,0,0) at line 4, but that lane takes no part in "
      "the shuffle; out[12] is computed from it; let all lanes that give a value make the call");
  EXPECT_EQ(found[0].outputCount, 4U);
}

TEST(Initialisation, AWholeWarpThatShufflesIsNoFault) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  float v = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) { v += __shfl_xor_sync(0xffffffff, v, d); }
  out[threadIdx.x] = v;
})",
                           {1, 1, 1}, {64, 1, 1}, 64);
  EXPECT_TRUE(kernel.faults().empty());
}

TEST(Initialisation, AnUninitialisedValueIsTracedThroughAShuffle) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  __shared__ float tile[32];
  if (threadIdx.x != 5) { tile[threadIdx.x] = in[threadIdx.x]; }
  __syncthreads();
  float v = tile[threadIdx.x];
  out[threadIdx.x] = __shfl_sync(0xffffffff, v, threadIdx.x ^ 1);
})",
                           {1, 1, 1}, {32, 1, 1}, 32);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::Uninitialized);
  EXPECT_THAT(found[0].message, HasSubstr("tile[5] is read by thread (5,0,0)"));
  EXPECT_THAT(found[0].message, HasSubstr("out[4] is computed from it"));
  ASSERT_EQ(found[0].outputs.size(), 1U);
  EXPECT_EQ(found[0].outputs[0].index, 4);
}

TEST(Initialisation, AVoteDependsOnItsVoters) {
  const std::string text = R"(__global__ void f(const float* in, float* out) {
  float v;
  if (threadIdx.x > 0) { v = in[threadIdx.x]; }
  bool wins = VOTE;
  out[threadIdx.x] = wins ? 1.0f : 2.0f;
})";
  const auto faults = [&](const std::string& vote) {
    std::string kernel = text;
    kernel.replace(kernel.find("VOTE"), 4, vote);
    return SmallLaunch(kernel, {1, 1, 1}, {32, 1, 1}, 32).faults().size();
  };
  EXPECT_EQ(faults("__any_sync(0xffffffff, v > 0.0f)"), 1U);
  EXPECT_EQ(faults("__any_sync(0xffffffff, v == 0.0f)"), 0U);  // the others are zero, whatever the value of lane 0
  EXPECT_EQ(faults("__all_sync(0xffffffff, v > 0.0f)"), 0U);
  EXPECT_EQ(faults("__ballot_sync(0xffffffff, v > 0.0f) != 0"), 1U);
  EXPECT_EQ(faults("threadIdx.x > 0 && __all_sync(0xfffffffe, v == 0.0f)"), 0U);
}

std::string exchange(const std::string& between) {
  return "__global__ void f(const float* in, float* out) {\n"
         "  __shared__ float tile[64];\n"
         "  tile[threadIdx.x] = in[threadIdx.x];\n" +
         between +
         "  out[threadIdx.x] = tile[threadIdx.x ^ DISTANCE];\n"
         "}\n";
}

std::size_t races(const std::string& between, int distance) {
  const std::string text = "#define DISTANCE " + std::to_string(distance) + "\n" + exchange(between);
  const std::vector<Finding> found = SmallLaunch(text, {2, 1, 1}, {64, 1, 1}, 64).faults();
  const auto isShared = [](const Finding& finding) { return finding.kind == FindingKind::RaceShared; };
  return static_cast<std::size_t>(std::ranges::count_if(found, isShared));
}

TEST(Races, AWarpBarrierOrdersTheLanesOfItsWarpOnly) {
  EXPECT_EQ(races("\n", 1), 1U);
  EXPECT_EQ(races("__syncwarp();\n", 1), 0U);
  EXPECT_EQ(races("__syncwarp();\n", 31), 0U);
  EXPECT_EQ(races("__syncwarp();\n", 32), 1U);  // the other warp
  EXPECT_EQ(races("__syncthreads();\n", 32), 0U);
}

TEST(Races, AShuffleOrdersNothing) {
  EXPECT_EQ(races("float v = __shfl_xor_sync(0xffffffff, in[0], 1); if (v > 9) return;\n", 1), 1U);
}

TEST(Races, AWarpBarrierOrdersTheLanesInItsMaskOnly) {
  const std::string halves = "__syncwarp(threadIdx.x % 32 < 16 ? 0x0000ffff : 0xffff0000);\n";
  EXPECT_EQ(races(halves, 8), 0U);
  EXPECT_EQ(races(halves, 16), 1U);
  // Lanes 0 and 31 never synchronise, but both synchronise with lane 8, one after the other.
  const std::string chain = halves + "__syncwarp(threadIdx.x % 16 < 8 ? 0x00ff00ff : 0xff00ff00);\n";
  EXPECT_EQ(races(chain, 16), 0U);
}

TEST(Races, AWarpReductionNeedsABarrierInEachStep) {
  const auto reduction = [](const std::string& barrier) {
    return R"(__global__ void f(const float* in, float* out) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    )" + barrier +
           R"(
  }
  if (t == 0) out[0] = s[0];
})";
  };
  EXPECT_TRUE(SmallLaunch(reduction("__syncwarp();"), {1, 1, 1}, {32, 1, 1}, 32).faults().empty());
  EXPECT_FALSE(SmallLaunch(reduction(""), {1, 1, 1}, {32, 1, 1}, 32).faults().empty());
  const std::string tile = R"(#include <cooperative_groups.h>
__global__ void f(const float* in, float* out) {
  __shared__ float s[32];
  auto tile = cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block());
  s[threadIdx.x] = in[threadIdx.x];
  tile.sync();
  out[threadIdx.x] = s[threadIdx.x ^ DISTANCE];
})";
  const auto inTile = [&](const std::string& distance) {
    return SmallLaunch("#define DISTANCE " + distance + "\n" + tile, {1, 1, 1}, {32, 1, 1}, 32).faults().size();
  };
  EXPECT_EQ(inTile("3"), 0U);
  EXPECT_EQ(inTile("4"), 1U);
}

TEST(OutputTrace, FollowsAValueAcrossAShuffle) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  float here = in[threadIdx.x];
  float left = __shfl_up_sync(0xffffffff, here, 1);
  out[threadIdx.x] = 2.0f * left + here;
})",
                           {1, 1, 1}, {32, 1, 1}, 32);
  const ObjectId out = kernel.program.findObject("out");
  const auto trace = provenance::traceOutput(kernel.program, kernel.launch, {0, 0, 0}, out, 9);
  ASSERT_TRUE(trace);
  std::vector<std::int64_t> elements;
  for (const provenance::Operand& operand : trace->operands) {
    if (operand.kind == provenance::Operand::Kind::Element) { elements.push_back(operand.element); }
  }
  EXPECT_THAT(elements, ::testing::ElementsAre(8, 9));
}

}  // namespace
}  // namespace haloscope::test
