#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include <fmt/format.h>

#include "LaunchOutput.h"
#include "analysis/Counts.h"
#include "analysis/MemoryRequests.h"
#include "analysis/Recorder.h"
#include "provenance/OutputTrace.h"

// Clusters of blocks, which reach each other's shared memory.

namespace haloscope::test {
namespace {

using faults::FindingKind;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Each thread writes to its block's tile what it reads, and takes what the mirror image in the cluster has there.
std::string mirror(const std::string& between, const std::string& after, const std::string& from = "n - 1 - t") {
  return "#include <cooperative_groups.h>\n"
         "__global__ void __cluster_dims__(2, 1, 1) k(int* out, int* in) {\n"
         "  __shared__ int tile[40];\n"
         "  auto cluster = cooperative_groups::this_cluster();\n"
         "  int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;\n"
         "  tile[t] = in[i];\n"
         "  " +
         between +
         "\n"
         "  int other = 1 - cluster.block_rank();\n"
         "  out[i] = cluster.map_shared_rank(tile, other)[" +
         from +
         "];\n"
         "  " +
         after +
         "\n"
         "}\n";
}

SmallLaunch mirrorLaunch(const std::string& between, const std::string& after, const std::string& from = "n - 1 - t") {
  return {mirror(between, after, from), {4, 1, 1}, {40, 1, 1}, 160};
}

TEST(Cluster, ReadsTheSharedMemoryOfItsOtherBlocks) {
  const std::string text = R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 2, 1) k(int* out) {
  __shared__ int tile[40];
  auto cluster = cooperative_groups::this_cluster();
  int block = blockIdx.y * gridDim.x + blockIdx.x, i = block * 40 + threadIdx.x;
  tile[threadIdx.x] = i;
  cluster.sync();
  out[i] = cluster.map_shared_rank(tile, 3 - cluster.block_rank())[39 - threadIdx.x];
  cluster.sync();
})";
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    for (const simt::WarpOrder order : {simt::WarpOrder::SideBySide, simt::WarpOrder::Random}) {
      for (const unsigned workers : {1U, 3U}) {
        SmallLaunch kernel(text, {4, 2, 1}, {40, 1, 1}, 320);
        const std::vector<std::int32_t> out =
            outputOf(kernel, {.schedule = schedule, .order = order, .workers = workers});
        for (std::int32_t i = 0; i < 320; ++i) {
          const std::int32_t x = i / 40 % 4, y = i / 160;
          const std::int32_t other = (1 - y) * 4 + (x / 2 * 2 + 1 - x % 2);
          EXPECT_EQ(out[static_cast<std::size_t>(i)], other * 40 + 39 - i % 40) << i;
        }
      }
    }
  }
}

TEST(Cluster, KnowsItsRegisters) {
  const std::string text = R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 3) k(int* out) {
  auto cluster = cooperative_groups::this_cluster();
  __shared__ int x;
  int to = 12 * ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x);
  out[to] = cluster.block_rank();
  out[to + 1] = cluster.num_blocks();
  out[to + 2] = cluster.block_index().z;
  out[to + 3] = cluster.dim_blocks().x;
  out[to + 4] = __clusterIdx().x;
  out[to + 5] = __clusterIdx().z;
  out[to + 6] = __clusterRelativeBlockIdx().x;
  out[to + 7] = __clusterDim().z;
  out[to + 8] = cluster.query_shared_rank(&x);
  out[to + 9] = cluster.query_shared_rank(cluster.map_shared_rank(&x, 4));
  out[to + 10] = cluster.thread_rank();
  out[to + 11] = __clusterGridDimInClusters().y;
})";
  SmallLaunch kernel(text, {4, 2, 3}, {1, 1, 1}, 12 * 24);
  const std::vector<std::int32_t> out = outputOf(kernel, {});
  const auto of = [&](int x, int y, int z) {
    const auto first = out.begin() + 12 * ((z * 2 + y) * 4 + x);
    return std::vector<std::int32_t>(first, first + 12);
  };
  EXPECT_THAT(of(0, 0, 0), ElementsAre(0, 6, 0, 2, 0, 0, 0, 3, 0, 4, 0, 2));
  EXPECT_THAT(of(3, 1, 2), ElementsAre(5, 6, 2, 2, 1, 0, 1, 3, 5, 4, 5, 2));
}

TEST(Cluster, IsLowered) {
  const Program program =
      mirrorLaunch("cluster.sync();", "__cluster_barrier_arrive_relaxed(); cluster.barrier_wait();").program;
  EXPECT_THAT(program.clusterDims, ElementsAre(2, 1, 1));
  std::vector<BarrierKind> barriers;
  std::vector<int> mapped;
  for (const Instruction& one : program.code) {
    if (one.op == Opcode::Barrier) { barriers.push_back(barrierKind(one)); }
    if (one.mapped) { mapped.push_back(one.range.line); }
    if (one.mapped) { EXPECT_EQ(one.aux, program.findObject("tile")); }
  }
  EXPECT_THAT(barriers, ElementsAre(BarrierKind::ClusterArrive, BarrierKind::ClusterWait, BarrierKind::ClusterArrive,
                                    BarrierKind::ClusterWait));
  EXPECT_THAT(mapped, ElementsAre(9));
  EXPECT_THAT(print(program), HasSubstr("MapShared"));
}

TEST(Cluster, HasConstantSizesAboveZero) {
  for (const char* dims : {"0, 1, 1", "2, -1", "x", "1, 1, 1, 1"}) {
    const std::string text = "int x;\n__global__ void __cluster_dims__(" + std::string(dims) + ") k(int* out) {}";
    EXPECT_THROW(SmallLaunch(text, {1, 1, 1}, {1, 1, 1}, 1), UserError) << dims;
  }
  SmallLaunch tooLarge("__global__ void __cluster_dims__(4, 4) k(int* out) {}", {4, 4, 1}, {1, 1, 1}, 1);
  EXPECT_THROW(simt::execute(tooLarge.program, tooLarge.launch), InputError);
  tooLarge.launch.configuration.clusterLimit = kMaxRaisedClusterBlocks;
  EXPECT_EQ(simt::execute(tooLarge.program, tooLarge.launch).outcome, simt::Outcome::Finished);
}

TEST(Cluster, TakesItsSizeFromTheLaunch) {
  SmallLaunch kernel(R"(#include <cooperative_groups.h>
__global__ void k(int* out) { out[blockIdx.x] = 10 * __clusterSizeInBlocks() + __clusterRelativeBlockRank(); })",
                     {6, 1, 1}, {1, 1, 1}, 6);
  EXPECT_THAT(outputOf(kernel, {}), Each(10));
  kernel.launch.configuration.cluster = {3, 1, 1};
  EXPECT_THAT(outputOf(kernel, {}), ElementsAre(30, 31, 32, 30, 31, 32));
  kernel.launch.configuration.cluster = {4, 1, 1};
  EXPECT_THROW(simt::execute(kernel.program, kernel.launch), InputError);
}

TEST(Cluster, MustDivideTheGrid) {
  SmallLaunch kernel(mirror("cluster.sync();", "cluster.sync();"), {5, 1, 1}, {40, 1, 1}, 200);
  try {
    simt::execute(kernel.program, kernel.launch);
    FAIL();
  } catch (const InputError& refused) { EXPECT_THAT(refused.what(), HasSubstr("launch 6×1×1 blocks")); }
}

TEST(Cluster, ThatSynchronisesIsFreeOfFaults) {
  EXPECT_THAT(mirrorLaunch("cluster.sync();", "cluster.sync();").faults(), IsEmpty());
  EXPECT_THAT(mirrorLaunch("cluster.barrier_arrive(); t = t * 1; cluster.barrier_wait();",
                           "__cluster_barrier_arrive(); __cluster_barrier_wait();")
                  .faults(),
              IsEmpty());
}

TEST(Cluster, BlocksRaceWithoutItsBarrier) {
  const auto faults = mirrorLaunch("__syncthreads();", "cluster.sync();").faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::RaceCluster));
  EXPECT_EQ(faults[0].where.line, 9);
  EXPECT_EQ(faults[0].other.line, 6);
  EXPECT_NE(faults[0].threads[0].block, faults[0].threads[1].block);
  EXPECT_THAT(faults[0].message, HasSubstr("tile[0] of block (1,0,0) is read by thread (39,0,0) of block (0,0,0) at "
                                           "line 9 and written by thread (0,0,0) of block (1,0,0) at line 6"));
}

TEST(Cluster, AWaitDoesNotOrderWhatComesAfterTheArrival) {
  const auto faults =
      mirrorLaunch("cluster.barrier_arrive(); tile[t] = t; cluster.barrier_wait();", "cluster.sync();").faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::RaceCluster));
  EXPECT_EQ(faults[0].other.line, 7);
}

TEST(Cluster, ABlockMayEndTooEarly) {
  const auto faults = mirrorLaunch("cluster.sync();", "").faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::BlockGone));
  EXPECT_EQ(faults[0].where.line, 9);
  EXPECT_THAT(faults[0].message, HasSubstr("may have ended"));
}

TEST(Cluster, ABlockMayNotHaveBegun) {
  const auto faults = SmallLaunch(R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int tile[2];
  auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x == 0) cluster.map_shared_rank(tile, 1 - cluster.block_rank())[0] = 5;
  cluster.sync();
  out[blockIdx.x] = tile[0];
})",
                                  {2, 1, 1}, {1, 1, 1}, 2)
                          .faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::BlockGone));
  EXPECT_THAT(faults[0].message, HasSubstr("tile[0] of block (1,0,0) is written by thread (0,0,0) of block (0,0,0)"));
  EXPECT_THAT(faults[0].message, HasSubstr("may not have begun"));
}

TEST(Cluster, HasNoRankBeyondItsSize) {
  SmallLaunch kernel(R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int tile[4];
  auto cluster = cooperative_groups::this_cluster();
  tile[threadIdx.x] = 1;
  cluster.sync();
  out[blockIdx.x] = cluster.map_shared_rank(tile, cluster.block_rank() + 1)[3];
  cluster.sync();
})",
                     {2, 1, 1}, {4, 1, 1}, 2);
  const auto faults = kernel.faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::OutOfBounds));
  EXPECT_EQ(faults[0].where.line, 7);
  EXPECT_THAT(faults[0].message,
              HasSubstr("tile[3] of the block of rank 2 is read by thread (0,0,0) of block (1,0,0)"));
  EXPECT_THAT(faults[0].message, HasSubstr("the cluster has 2 blocks, with ranks 0 to 1"));
}

TEST(Cluster, AnIndexBeyondTheArrayOfAnotherBlockIsOutOfBounds) {
  const auto faults = mirrorLaunch("cluster.sync();", "cluster.sync();", "t + 1").faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::OutOfBounds));
  EXPECT_THAT(faults[0].message, HasSubstr("tile[40]"));
}

TEST(Cluster, FindsWhatTheOtherBlockHasNotWritten) {
  std::string text = mirror("cluster.sync();", "cluster.sync();");
  text.replace(text.find("tile[t] = in[i]"), 15, "if (t != 7) tile[t] = in[i]");
  const auto faults = SmallLaunch(text, {4, 1, 1}, {40, 1, 1}, 160).faults();
  ASSERT_THAT(kindsOf(faults), ElementsAre(FindingKind::Uninitialized));
  EXPECT_THAT(faults[0].message, HasSubstr("tile[7]"));
  EXPECT_EQ(faults[0].where.line, 9);
}

TEST(Cluster, ABarrierInABranchIsDivergent) {
  const auto faults = mirrorLaunch("if (t < 8) cluster.sync();", "").faults();
  EXPECT_THAT(kindsOf(faults), ::testing::Contains(FindingKind::DivergentBarrier));
}

TEST(Cluster, WarpsAtDifferentBarriersHang) {
  SmallLaunch kernel(R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  if (threadIdx.x < 32) {
    cooperative_groups::this_cluster().sync();
  } else {
    __syncthreads();
  }
  out[blockIdx.x] = 1;
})",
                     {2, 1, 1}, {64, 1, 1}, 2);
  const auto faults = kernel.faults();
  EXPECT_THAT(kindsOf(faults), ::testing::Contains(FindingKind::ClusterBarrier));
}

TEST(Cluster, AWaitNeedsAnArrival) {
  for (const char* wrong : {"cluster.barrier_wait();", "cluster.barrier_arrive(); cluster.barrier_arrive();"}) {
    const auto faults = mirrorLaunch(wrong, "").faults();
    ASSERT_THAT(kindsOf(faults), ::testing::Contains(FindingKind::ClusterBarrier)) << wrong;
  }
}

TEST(Cluster, OnlySharedMemoryIsMapped) {
  EXPECT_THROW(SmallLaunch(R"(#include <cooperative_groups.h>
__global__ void k(int* out) { out[0] = *cooperative_groups::this_cluster().map_shared_rank(out, 0); })",
                           {1, 1, 1}, {1, 1, 1}, 1),
               UserError);
}

TEST(Cluster, CountsWhatComesFromOtherBlocks) {
  SmallLaunch kernel = mirrorLaunch("cluster.sync();", "cluster.sync();");
  const analysis::Counts counts = analysis::count(kernel.program, kernel.launch);
  EXPECT_EQ(counts.traffic.clusterLoad, 640U);
  EXPECT_EQ(counts.traffic.clusterStore, 0U);
  EXPECT_EQ(counts.traffic.sharedLoad, 0U);
  EXPECT_EQ(counts.traffic.sharedStore, 640U);
}

/// As an H200 counts them (l1tex__t_requests and …t_sectors_pipe_lsu_mem_dshared_op_ld).
TEST(Cluster, AsksOtherBlocksForSectors) {
  for (const auto& [stride, sectors] : {std::pair{1, 4}, std::pair{2, 8}, std::pair{32, 32}}) {
    SmallLaunch kernel(fmt::format(R"(#include <cooperative_groups.h>
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {{
  __shared__ int tile[1024];
  auto cluster = cooperative_groups::this_cluster();
  for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = i;
  cluster.sync();
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[(threadIdx.x * {} + i * 32) & 1023];
  cluster.sync();
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}})",
                                   stride),
                       {2, 1, 1}, {32, 1, 1}, 64);
    analysis::RequestCounter requests(kernel.program);
    simt::Observer* const observers[] = {&requests};
    simt::execute(kernel.program, kernel.launch, observers);
    const analysis::RequestTotals all = requests.totals().all;
    EXPECT_EQ(all.clusterRequests, 128U);
    EXPECT_EQ(all.clusterSectors, 128U * static_cast<unsigned>(sectors)) << stride;
    EXPECT_EQ(all.sharedRequests, 64U) << "the stores alone";
  }
}

TEST(Cluster, ARecordingSaysWhereAValueOfAnotherBlockCameFrom) {
  const SmallLaunch kernel = mirrorLaunch("cluster.sync();", "cluster.sync();");
  const auto recording =
      analysis::record(std::make_shared<const Program>(kernel.program), kernel.launch, {1, 0, 0}, {});
  EXPECT_FALSE(recording->truncated) << recording->message;
  ASSERT_EQ(recording->clusterAccesses.size(), 40U);
  const recording::ClusterAccess& read = recording->clusterAccesses[3];
  EXPECT_EQ(read.thread, 3U);
  EXPECT_EQ(read.rank, 0U);
  EXPECT_EQ(read.element, 36);
  EXPECT_EQ(read.origin.kind, recording::Origin::Kind::Element);
  EXPECT_EQ(read.origin.object, kernel.program.findObject("in"));
  EXPECT_EQ(read.origin.element, 36);
  const auto trace =
      provenance::traceOutput(kernel.program, kernel.launch, {1, 0, 0}, kernel.program.findObject("out"), 43);
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->operands.size(), 1U);
  EXPECT_EQ(trace->operands[0].kind, provenance::Operand::Kind::Element);
  EXPECT_EQ(trace->operands[0].element, 36);
}

}  // namespace
}  // namespace haloscope::test
