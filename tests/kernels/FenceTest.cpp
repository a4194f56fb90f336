#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "LaunchOutput.h"

// Fences with atomics order the threads of different blocks.

namespace haloscope::test {
namespace {

using faults::FindingKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

/// The last-block idiom of the CUDA C++ Programming Guide, with what stands before and behind the store of a sum.
std::string lastBlock(const std::string& before, const std::string& behind) {
  return R"(__global__ void k(int* out, int* partial, unsigned* count, const int* in) {
  __shared__ bool last;
  int t = threadIdx.x;
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < blockDim.x; ++i) sum += in[blockIdx.x * blockDim.x + i] + 1;
    )" + before +
         R"(
    partial[blockIdx.x] = sum;
    )" + behind +
         R"(
    last = atomicAdd(count, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t < gridDim.x) {
    atomicAdd(out, partial[t]);
    if (t == 0) *count = 0;
  }
})";
}

std::vector<FindingKind> kindsFor(const std::string& text) {
  return kindsOf(SmallLaunch(text, {6, 1, 1}, {64, 1, 1}, 384).faults({"partial"}));
}

TEST(Fence, TheLastBlockReadsWhatTheOthersHaveWritten) {
  SmallLaunch kernel(lastBlock("", "__threadfence();"), {6, 1, 1}, {64, 1, 1}, 384);
  EXPECT_EQ(outputOf(kernel)[0], 384);
  EXPECT_THAT(kindsFor(lastBlock("", "__threadfence();")), IsEmpty());
  EXPECT_THAT(kindsFor(lastBlock("", "__threadfence_system();")), IsEmpty());
}

TEST(Fence, WithoutItTheLastBlockRaces) {
  EXPECT_THAT(kindsFor(lastBlock("", "")), Contains(FindingKind::RaceGlobal));
  EXPECT_THAT(kindsFor(lastBlock("__threadfence();", "")), ElementsAre(FindingKind::RaceGlobal));
  EXPECT_THAT(kindsFor(lastBlock("", "__threadfence_block();")), ElementsAre(FindingKind::RaceGlobal));
}

TEST(Fence, OfEachThreadBeforeABarrierCountsForTheOneThatCounts) {
  const auto with = [](const std::string& fence) {
    return kindsFor(R"(__global__ void k(int* out, int* partial, unsigned* count) {
  __shared__ unsigned ticket;
  partial[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  )" + fence + R"(
  __syncthreads();
  if (threadIdx.x == 0) ticket = atomicInc(count, gridDim.x - 1);
  __syncthreads();
  if (ticket == gridDim.x - 1)
    for (int block = 0; block < gridDim.x; ++block) atomicAdd(out, partial[block * blockDim.x + threadIdx.x]);
})");
  };
  EXPECT_THAT(with("__threadfence();"), IsEmpty());
  EXPECT_THAT(with(""), Contains(FindingKind::RaceGlobal));
}

TEST(Fence, AloneOrdersNothing) {
  const auto kinds = kindsFor(R"(__global__ void k(int* out) {
  out[blockIdx.x] = threadIdx.x;
  __threadfence();
  if (blockIdx.x > 0) out[blockIdx.x] += out[blockIdx.x - 1];
})");
  EXPECT_THAT(kinds, Contains(FindingKind::RaceGlobal));
}

TEST(Fence, ALockProtectsWhatIsBehindIt) {
  const auto with = [](const std::string& read) {
    return kindsFor(R"(__global__ void k(int* out, int* lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    out[0] += blockIdx.x;
    out[1] = out[0] * 2;
    __threadfence();
    atomicExch(lock, 0);
  }
  )" + read + R"(
})");
  };
  EXPECT_THAT(with(""), IsEmpty());
  EXPECT_THAT(with("if (threadIdx.x == 32) out[2 + blockIdx.x] = out[0];"), Contains(FindingKind::RaceGlobal));
}

TEST(Fence, InSharedMemoryNothingChanges) {
  const auto with = [](const std::string& barrier) {
    return kindsFor(R"(__global__ void k(int* out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  )" + barrier + R"(
  out[blockIdx.x * 64 + threadIdx.x] = tile[63 - threadIdx.x];
})");
  };
  EXPECT_THAT(with("__syncthreads();"), IsEmpty());
  EXPECT_THAT(with(""), ElementsAre(FindingKind::RaceShared));
}

/// Block 0 publishes an element through a flag of this type, and block 1 waits for it.
std::string published(const std::string& type, const std::string& before, const std::string& behind) {
  return "__global__ void k(int* out, int* partial, " + type + R"( int* flag) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    partial[0] = 7;
    )" + before +
         R"(
    *flag = 1;
  } else {
    while (*flag == 0) {}
    )" + behind +
         R"(
    out[blockIdx.x] = partial[0];
  }
})";
}

TEST(Fence, AVolatileFlagPublishesWhatIsBeforeIt) {
  const auto with = [](const std::string& type, const std::string& before) {
    return kindsOf(SmallLaunch(published(type, before, "__threadfence();"), {2, 1, 1}, {32, 1, 1}, 8).faults());
  };
  EXPECT_THAT(with("volatile", "__threadfence();"), IsEmpty());
  EXPECT_THAT(with("volatile", ""), ElementsAre(FindingKind::RaceGlobal));  // on the data
  EXPECT_THAT(with("", "__threadfence();"), Contains(FindingKind::RaceGlobal));
}

TEST(Fence, VolatileDataThatAlsoEndALoopAreNoFlags) {
  EXPECT_THAT(kindsFor(R"(__global__ void k(int* out) {
  volatile __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 64 - t;
  __syncthreads();
  int rounds = 0;
  while (s[0] < 1000 && rounds < 3) {
    if (t < 48) s[t] += s[t + 16];
    rounds++;
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[t];
})"),
              Contains(FindingKind::RaceShared));
}

TEST(Fence, AValueCanBeItsOwnFlag) {
  EXPECT_THAT(kindsOf(SmallLaunch(R"(__global__ void k(int* out, volatile int* sum) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    sum[0] = 7;
  } else {
    int before;
    while ((before = sum[0]) == 0) {}
    out[blockIdx.x] = before + 1;
  }
})",
                                  {2, 1, 1}, {32, 1, 1}, 8)
                          .faults()),
              IsEmpty());
}

TEST(Fence, VolatileDataAreNoFlags) {
  EXPECT_THAT(kindsFor(R"(__global__ void k(int* out) {
  volatile __shared__ int sum[64];
  int t = threadIdx.x;
  sum[t] = t;
  __syncthreads();
  if (t < 32) {
    sum[t] += sum[t + 32];
    sum[t] += sum[t + 16];
  }
  __syncthreads();
  out[blockIdx.x] = sum[0];
})"),
              Contains(FindingKind::RaceShared));
}

}  // namespace
}  // namespace haloscope::test
