#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "BlockLogSupport.h"
#include "FaultSupport.h"
#include "RecordingSupport.h"
#include "SameRecording.h"
#include "recording/LogReader.h"

// The instrumented source of a kernel is plain CUDA C++: here the emulator runs it, and its log is read as if a GPU had
// written it. The result must equal the emulator's recording of the original kernel.

namespace haloscope {
namespace {

std::string read(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class VariantLogTest : public testing::TestWithParam<std::string> {};

TEST_P(VariantLogTest, EqualsTheRecording) {
  const std::string& id = GetParam();
  const std::string path = std::string(HALOSCOPE_SOURCE_DIR) + "/kernels/" + id + ".cu";
  const std::string text = read(path);
  const KernelFile file = KernelFile::parse(id, path, text);
  for (const std::int64_t size : {11, 16}) {
    Bindings sizes;
    for (const auto& one : file.sizes) { sizes[one.name] = size; }
    const Bindings bindings = file.bind(sizes);
    const frontend::CompileOptions options{.defines = file.defines(bindings), .kernel = {}};
    const auto program = std::make_shared<const Program>(frontend::compile(path, text, options).program);
    const Launch launch = experiment::makeLaunch(file, bindings, *program, experiment::InputKind::Random);
    if (text.find("CUtensorMap") != std::string::npos) {
      EXPECT_THROW(frontend::instrument(path, text, options), frontend::CompileError);
      return;
    }
    const Dim3 grid = launch.configuration.grid;
    const std::uint64_t middle = linear({grid.x / 2, grid.y / 2, grid.z / 2}, grid);
    test::InstrumentedKernel instrumented(path, text, options, *program, launch);
    for (const std::uint64_t index : std::set{std::uint64_t{0}, middle, grid.count() - 1}) {
      const Dim3 block = unlinear(index, grid);
      const test::Logged logged = instrumented.run(block);
      const recording::LoggedBlock described{program, &logged.text.program, &logged.text.sites, &launch,
                                             block,   &logged.log};
      // What another block of the cluster has in its memory came from somewhere that this block's log does not tell.
      const auto origins =
          clusterOf(*program, launch.configuration).count() > 1 ? test::Origins::Known : test::Origins::All;
      test::expectSame(*analysis::record(program, launch, block), *recording::readLog(described), origins);
      if (HasFatalFailure()) { return; }
    }
  }
}

std::vector<std::string> variants() {
  std::vector<std::string> ids;
  const std::filesystem::path root = std::string(HALOSCOPE_SOURCE_DIR) + "/kernels";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".cu") {
      ids.push_back(std::filesystem::relative(entry.path(), root).replace_extension().string());
    }
  }
  std::ranges::sort(ids);
  return ids;
}

INSTANTIATE_TEST_SUITE_P(All, VariantLogTest, testing::ValuesIn(variants()), [](const auto& variant) {
  std::string name = variant.param;
  std::ranges::replace(name, '/', '_');
  return name;
});

using ChangeLog = std::function<void(test::Logged& logged)>;

/// One block of 64 threads; `in` holds 1, 2, 3 …, each scalar is 8. `change`: to the log, before it is read.
std::shared_ptr<const recording::Recording> expectLogOf(const std::string& text, const ChangeLog& change = {},
                                                        bool same = true) {
  constexpr std::int64_t kElements = 128;
  test::SmallLaunch kernel(text, {1, 1, 1}, {64, 1, 1}, kElements, 8);
  std::vector<float> values(kElements);
  std::ranges::generate(values, [next = 0.0F]() mutable { return next += 1; });
  std::memcpy(kernel.launch.arrays[kernel.program.findObject("in")].bytes.data(), values.data(),
              values.size() * sizeof(float));
  const auto program = std::make_shared<const Program>(kernel.program);
  const Launch& launch = kernel.launch;
  test::Logged logged = test::runInstrumented("small.cu", text, {}, *program, launch, {0, 0, 0});
  if (change) { change(logged); }
  const recording::LoggedBlock described{program,   &logged.text.program, &logged.text.sites, &launch,
                                         {0, 0, 0}, &logged.log};
  auto read = recording::readLog(described);
  if (same) { test::expectSame(*analysis::record(program, launch, {0, 0, 0}), *read); }
  return read;
}

/// Calls visit(head, payload) for each entry of each thread.
template <typename Visit>
void eachEntry(BlockLog& log, Visit visit) {
  for (std::size_t thread = 0; thread * log.capacity < log.words.size(); ++thread) {
    const std::span words = std::span(log.words).subspan(thread * log.capacity, log.counts[thread]);
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t length = words[at] >> kLogPayloadShift & kLogPayloadMask;
      visit(words[at], words.subspan(at + 1, length));
      at += 1 + length;
    }
  }
}

/// Tokens as hardware may give them: they have the phase's parity alone, the same for all barriers. To the emulator a
/// token is the phase.
void disguiseTokens(test::Logged& logged) {
  const auto disguised = [](std::span<std::uint32_t> words) {
    words[0] = words[0] % 2 == 0 ? 0x1234 : 0x5678;
    words[1] = 0;
  };
  const auto action = [](std::uint32_t head) {
    return (head & kLogSiteMask) - static_cast<std::uint32_t>(LogPrimitive::MemoryBarrier);
  };
  int arrivals = 0;
  eachEntry(logged.log, [&](std::uint32_t head, std::span<std::uint32_t> payload) {
    const auto kind = static_cast<LogKind>(head >> kLogKindShift);
    if (kind == LogKind::Variable && logged.text.sites[head & kLogSiteMask].name.starts_with("token")) {
      disguised(payload);
    }
    if (kind != LogKind::Primitive) { return; }
    if (action(head) == static_cast<std::uint32_t>(MemoryBarrierAction::Arrive)) {
      disguised(payload.subspan(5, 2));
      ++arrivals;
    }
    const bool waits = action(head) == static_cast<std::uint32_t>(MemoryBarrierAction::AskPhase) ||
                       action(head) == static_cast<std::uint32_t>(MemoryBarrierAction::AwaitPhase);
    if (waits) { disguised(payload.subspan(2, 2)); }
  });
  EXPECT_GT(arrivals, 0);
}

TEST(OriginLogTest, IsKeptThroughEveryShuffle) {
  expectLogOf(R"(__global__ void k(const float* in, float* out, int width) {
  int lane = threadIdx.x % 32;
  float own = in[threadIdx.x];
  float up = __shfl_up_sync(0xffffffffu, own, 1);
  own = __shfl_down_sync(0xffffffffu, own, 2, 16);
  float chosen = __shfl_sync(0xffffffffu, own, lane * 3 % 32);
  float other = __shfl_xor_sync(0xffffffffu, in[threadIdx.x + 64], lane % 8 < 4 ? 1 : 2);
  float far = own;
  for (int offset = 16; offset > 0; offset /= 2) { far = __shfl_xor_sync(0xffffffffu, far, offset); }
  float first = __shfl_sync(0xffffffffu, far, 0, width);
  if (lane < 20) { first = __shfl_up_sync(0xfffffu, chosen, 3); }
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, other, 1);
  if (lane > 3) { first = up; }
  out[threadIdx.x + 64] = first;
}
)");
}

TEST(OriginLogTest, IsKeptByWhatAFunctionReturns) {
  expectLogOf(R"(__device__ float at(const float* in, int i, int n) { return i < n ? in[i] : 0.0f; }
__device__ float next(const float* in, int i) { return at(in, i + 1, 64); }
__device__ float early(const float* in, int i) {
  if (i % 2 == 1) { return in[i]; }
  return in[i + 1];
}
__device__ float4 four(const float4* in, int i, int n) {
  bool inside = i < n;
  return inside ? in[i] : make_float4(0, 0, 0, 0);
}
__global__ void k(const float* in, float* out, int n) {
  float a = at(in, threadIdx.x, 4 * n);
  float b = next(in, threadIdx.x);
  float c;
  c = early(in, threadIdx.x);
  float4 d = four(reinterpret_cast<const float4*>(in), threadIdx.x, n);
  d = four(reinterpret_cast<const float4*>(in), threadIdx.x / 2, n);
  out[threadIdx.x] = next(in, threadIdx.x);
  out[threadIdx.x + 64] = b;
  float e = in[threadIdx.x], f = e + a + c + d.x;
  out[threadIdx.x] = f;
}
)");
}

TEST(CopyLogTest, CopiesArriveAtABarrierWhosePhasesHaveTokens) {
  expectLogOf(R"(#include <cooperative_groups.h>
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[2][64];
  __shared__ barrier arrived;
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) { init(&arrived, block.size()); }
  block.sync();
  for (int part = 0; part < 2; ++part) {
    cuda::memcpy_async(block, tile[part], in + 64 * part, cuda::aligned_size_t<16>(sizeof tile[0]), arrived);
    barrier::arrival_token token = arrived.arrive();
    float before = part > 0 ? tile[0][63 - threadIdx.x] : 1.0f;
    arrived.wait(std::move(token));
    out[64 * part + threadIdx.x] = before * tile[part][(threadIdx.x + n) % 64];
  }
  arrived.arrive_and_wait();
}
)");
}

TEST(CopyLogTest, TokensOfTwoBarriersAndANumberThatEqualsOneAreToldApart) {
  expectLogOf(R"(#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(const float* in, float* out, int n) {
  __shared__ uint64_t first;
  __shared__ uint64_t second;
  uint64_t own = 0x1234;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&first, 64);
    ptx::mbarrier_init(&second, 64);
  }
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    uint64_t tokenOfPhase = ptx::mbarrier_arrive(&first);
    while (!ptx::mbarrier_try_wait(&first, tokenOfPhase)) {}
  }
  uint64_t tokenOfFirst = ptx::mbarrier_arrive(&first);
  uint64_t tokenOfSecond = ptx::mbarrier_arrive(&second);
  uint64_t tokenAgain = tokenOfFirst;
  while (!ptx::mbarrier_try_wait(&first, tokenAgain)) {}
  while (!ptx::mbarrier_try_wait(&second, tokenOfSecond)) {}
  uint64_t other = own;
  out[threadIdx.x] = in[threadIdx.x] + static_cast<float>(other);
}
)",
              disguiseTokens);
}

TEST(CopyLogTest, ACopyWithoutItsBytesIsRefused) {
  const auto read = expectLogOf(
      R"(#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], in + t, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[63 - t];
}
)",
      [](test::Logged& logged) {
        // The last word of the first thread's copy, which is the value that it carries.
        BlockLog& log = logged.log;
        for (std::size_t at = 0; at < log.counts[0];) {
          const std::uint32_t length = log.words[at] >> kLogPayloadShift & kLogPayloadMask;
          const bool copy = log.words[at] >> kLogKindShift == static_cast<std::uint32_t>(LogKind::Primitive) &&
                            (log.words[at] & kLogSiteMask) == static_cast<std::uint32_t>(LogPrimitive::Copy);
          if (copy) {
            const auto begin = log.words.begin();
            const auto last = begin + static_cast<std::ptrdiff_t>(at + length);
            std::shift_left(last, begin + log.counts[0], 1);
            log.words[at] -= 1U << kLogPayloadShift;
            --log.counts[0];
            return;
          }
          at += 1 + length;
        }
        FAIL() << "no copy was logged";
      },
      false);
  EXPECT_NE(read->message.find("wrong length"), std::string::npos) << read->message;
}

TEST(CopyLogTest, BatchesArriveInOrderAndTheirLastBytesMayBeZeros) {
  expectLogOf(R"(#include <cuda_pipeline.h>
__global__ void k(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[3][64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][t], in + t, 4);
  __pipeline_commit();
  if (t < 16) { __pipeline_memcpy_async(&tile[1][4 * t], in + 64 + 4 * t, 16, t % 3 == 0 ? 8 : 0); }
  __pipeline_commit();
  __pipeline_memcpy_async(&tile[2][t], in, 4, 4);
  __pipeline_commit();
  __pipeline_wait_prior(2);
  __syncthreads();
  float sum = tile[0][63 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = sum + tile[1][63 - t];
  out[t + 64] = tile[2][63 - t];
}
)");
}

TEST(CopyLogTest, BulkCopiesGoBothWays) {
  expectLogOf(R"(#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[128];
  __shared__ uint64_t arrived;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_proxy_async();
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived, 512);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 512, &arrived);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {}
  tile[threadIdx.x] = 2 * tile[threadIdx.x];
  ptx::fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 32) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, 512);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32<0>());
  }
}
)");
}

TEST(CopyLogTest, WhatCannotBeRecordedIsNamed) {
  const auto refusal = [](const std::string& text) {
    try {
      static_cast<void>(frontend::instrument("small.cu", text, {}));
    } catch (const frontend::CompileError& refused) { return std::string(refused.what()); }
    return std::string("recorded");
  };
  const std::string pipeline = refusal(R"(#include <cuda/pipeline>
__global__ void k(const float* in, float* out) {
  __shared__ float tile[64];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], in + threadIdx.x, sizeof(float), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[threadIdx.x] = tile[threadIdx.x];
}
)");
  EXPECT_NE(pipeline.find("'pipe' keeps its state"), std::string::npos) << pipeline;
  const std::string assembly = refusal(R"(#include <cuda/ptx>
__global__ void k(const float* in, float* out) {
  __shared__ uint64_t bar;
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(&bar)), "r"(1));
  out[0] = in[0];
}
)");
  EXPECT_NE(assembly.find("of inline assembly cannot be recorded"), std::string::npos) << assembly;
  const std::string cluster = refusal(R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(const float* in, float* out) {
  __shared__ float value;
  auto cluster = cooperative_groups::this_cluster();
  float* other = cluster.map_shared_rank(&value, 1 - cluster.block_rank());
  *other = in[0];
  cluster.sync();
  out[blockIdx.x] = value;
}
)");
  EXPECT_NE(cluster.find("writes to the shared memory of other blocks"), std::string::npos) << cluster;
}

}  // namespace
}  // namespace haloscope
