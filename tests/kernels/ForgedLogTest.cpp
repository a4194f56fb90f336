#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "BlockLogSupport.h"
#include "FaultSupport.h"
#include "RecordingSupport.h"
#include "recording/LogReader.h"

// A log is what a GPU's memory held, so it comes from outside: whatever its words are, what is read from it stays
// within the program, the launch and the block, and a log that makes no sense ends with a message.

namespace haloscope {
namespace {

using recording::Change;
using recording::Recording;

/// Calls, loops, shuffles, atomics, arrays of each kind, and bytes of an array.
constexpr char kStatements[] = R"(__constant__ float weights[3] = {1, 2, 3};
struct Pair { float x, y; };
__device__ float half(const float *from, int at) { return from[at] / 2; }
__global__ void k(const float* in, float* out, int n) {
  __shared__ float tile[64];
  __shared__ int count;
  float own[4];
  Pair pair = {in[threadIdx.x], 1};
  if (threadIdx.x == 0) { count = 0; }
  for (int i = 0; i < 4; ++i) { own[i] = weights[i % 3] * half(in, threadIdx.x + i); }
  tile[threadIdx.x] = own[threadIdx.x % 4] + pair.y;
  ((unsigned char*)tile)[4 * threadIdx.x + 1] = 7;
  __syncthreads();
  atomicAdd(&count, 1);
  const float* last = &tile[63];
  float up = __shfl_up_sync(0xffffffffu, tile[threadIdx.x], 1);
  pair = {up, *last};
  out[threadIdx.x] = pair.x + pair.y;
}
)";

constexpr char kCopies[] = R"(#include <cuda_pipeline.h>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(const float* in, float* out, int n) {
  __shared__ __align__(16) float tile[64], whole[64];
  __shared__ uint64_t arrived;
  int t = threadIdx.x;
  if (t < 16) { __pipeline_memcpy_async(&tile[4 * t], in + 4 * t, 16, t % 3 == 0 ? 8 : 0); }
  __pipeline_commit();
  if (t == 0) {
    ptx::mbarrier_init(&arrived, 1);
    ptx::fence_proxy_async();
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived, 256);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, whole, in, 256, &arrived);
  }
  __pipeline_wait_prior(0);
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&arrived, 0)) {}
  out[t] = tile[63 - t] + whole[t];
  ptx::fence_proxy_async();
  __syncthreads();
  if (t == 32) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 64, whole, 256);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32<0>());
  }
}
)";

constexpr char kCluster[] = R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(const float* in, float* out, int n) {
  __shared__ float tile[64];
  auto cluster = cooperative_groups::this_cluster();
  tile[threadIdx.x] = in[threadIdx.x];
  cluster.sync();
  const float* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x];
  cluster.sync();
}
)";

struct Text {
  const char* name;
  const char* source;
  std::uint32_t blocks;
};

class ForgedLogTest : public testing::TestWithParam<Text> {};

/// What a recording numbers is there.
void expectWithin(const std::shared_ptr<const Recording>& recording, const Launch& launch) {
  const Program& program = *recording->program;
  const recording::BlockState state(*recording);
  const std::size_t threads = recording->threadCount();
  for (const Change& change : recording->changes) {
    ASSERT_LT(change.thread, threads);
    ASSERT_GE(change.index, 0);
    const auto index = static_cast<std::size_t>(change.index);
    if (change.kind == Change::Kind::Variable) {
      ASSERT_LT(change.id, program.variables.size());
      ASSERT_LT(index, threads);
      continue;
    }
    ASSERT_LT(change.id, program.objects.size());
    const bool global = change.kind == Change::Kind::Global;
    ASSERT_LT(index, global ? static_cast<std::size_t>(launch.arrays[change.id].elementCount())
                            : state.array(change.id).size());
  }
  for (const recording::AccessGroup& group : recording->accesses) {
    ASSERT_LT(group.instruction, program.code.size());
    ASSERT_LT(group.object, program.objects.size());
    ASSERT_LT(group.warp, recording->warpCount());
  }
  for (const recording::ClusterAccess& access : recording->clusterAccesses) {
    ASSERT_LT(access.rank, clusterOf(program, launch.configuration).count());
    ASSERT_LT(access.object, program.objects.size());
  }
  for (const recording::Step& step : recording->steps) {
    ASSERT_TRUE(step.statement == kNone || step.statement < program.statements.size());
  }
  test::Recorded recorded(recording);
  recorded.cursor.goTo(recorded.cursor.end());
  static_cast<void>(recorded.view());
  recorded.cursor.goTo(0);
}

TEST_P(ForgedLogTest, StaysWithinTheProgram) {
  constexpr int kForgeries = 400;
  const Dim3 grid{GetParam().blocks, 1, 1}, block{GetParam().blocks - 1, 0, 0};
  test::SmallLaunch kernel(GetParam().source, grid, {64, 1, 1}, 128, 8);
  const auto program = std::make_shared<const Program>(kernel.program);
  const Launch& launch = kernel.launch;
  const test::Logged logged = test::runInstrumented("small.cu", GetParam().source, {}, *program, launch, block);
  std::mt19937 random(1);
  const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
  int refused = 0;
  for (int forgery = 0; forgery <= kForgeries; ++forgery) {
    BlockLog log = logged.log;
    for (std::size_t i = forgery == 0 ? 0 : 1 + below(4); i > 0; --i) {
      const std::size_t thread = below(64);
      if (log.counts[thread] == 0) { continue; }
      const std::size_t first = thread * log.capacity;
      std::uint32_t& word = log.words[first + below(log.counts[thread])];
      const std::array<std::uint32_t, 7> candidates{word ^ 1U << below(32),
                                                    static_cast<std::uint32_t>(random()),
                                                    0,
                                                    ~0U,
                                                    static_cast<std::uint32_t>(below(40)),
                                                    log.words[first + below(log.counts[thread])],
                                                    word + static_cast<std::uint32_t>(below(600)) - 300U};
      word = candidates[below(candidates.size())];
      if (below(20) == 0) { log.counts[thread] = static_cast<std::uint32_t>(below(log.capacity)); }
    }
    // What the places in the text are, a process says that has read a stranger's text.
    std::vector<LogSite> sites = logged.text.sites;
    for (std::size_t i = forgery == 0 ? 0 : below(3); i > 0; --i) {
      LogSite& site = sites[below(sites.size())];
      const LogSite& other = sites[below(sites.size())];
      switch (below(4)) {
        case 0:
          site.field = static_cast<std::uint32_t>(below(2) == 0 ? below(6) : random());
          break;
        case 1:
          site.kind = other.kind;
          break;
        case 2:
          site.range = other.range;
          break;
        default:
          site.name = other.name;
          site.declared = other.declared;
      }
    }
    SCOPED_TRACE(forgery);
    const recording::LoggedBlock described{program, &logged.text.program, &sites, &launch, block, &log};
    const auto read = recording::readLog(described);
    refused += read->message.empty() ? 0 : 1;
    if (forgery == 0) { ASSERT_EQ(read->message, ""); }
    expectWithin(read, launch);
    if (HasFatalFailure()) { return; }
  }
  EXPECT_GT(refused, kForgeries / 10);
}

INSTANTIATE_TEST_SUITE_P(All, ForgedLogTest,
                         testing::Values(Text{"Statements", kStatements, 1}, Text{"Copies", kCopies, 1},
                                         Text{"Cluster", kCluster, 2}),
                         [](const auto& text) { return text.param.name; });

TEST(LogSizeTest, OfAnotherBlockIsRefused) {
  test::SmallLaunch kernel(kStatements, {1, 1, 1}, {64, 1, 1}, 128, 8);
  const auto program = std::make_shared<const Program>(kernel.program);
  const test::Logged logged = test::runInstrumented("small.cu", kStatements, {}, *program, kernel.launch, {0, 0, 0});
  const auto messageOf = [&](const BlockLog& log) {
    return recording::readLog({program, &logged.text.program, &logged.text.sites, &kernel.launch, {0, 0, 0}, &log})
        ->message;
  };
  EXPECT_EQ(messageOf(logged.log), "");
  BlockLog tooFewWords = logged.log, tooFewThreads = logged.log, otherArrays = logged.log;
  tooFewWords.words.resize(tooFewWords.words.size() - 1);
  tooFewThreads.counts.resize(63);
  otherArrays.places[static_cast<ObjectId>(program->objects.size())] = 4096;
  for (const BlockLog* const log : {&tooFewWords, &tooFewThreads, &otherArrays}) {
    EXPECT_NE(messageOf(*log).find("is not that of this block"), std::string::npos);
  }
}

}  // namespace
}  // namespace haloscope
