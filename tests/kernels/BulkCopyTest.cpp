#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "LaunchOutput.h"
#include "lowering/LoweringError.h"

// Bulk copies (TMA), and the barriers in shared memory (mbarrier) that their bytes arrive at.

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kThreads = 64;
constexpr int kBlocks = 3;
constexpr int kElements = kThreads * kBlocks;

SmallLaunch launchOf(const std::string& text) {
  SmallLaunch kernel(text, {kBlocks, 1, 1}, {kThreads, 1, 1}, kElements);
  ArrayData& in = kernel.launch.arrays[kernel.program.findObject("in")];
  for (std::int32_t i = 0; i < kElements; ++i) {
    const std::int32_t value = 3 * i + 1;
    std::memcpy(&in.bytes[sizeof value * static_cast<std::size_t>(i)], &value, sizeof value);
  }
  return kernel;
}

/// That each block reverses its part of `in`, in whatever order warps run, and that nothing is found.
void expectReversed(const std::string& text) {
  std::vector<std::int32_t> expected;
  for (int i = 0; i < kElements; ++i) {
    const int block = i / kThreads;
    expected.push_back(3 * (block * kThreads + kThreads - 1 - i % kThreads) + 1);
  }
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    for (const simt::WarpOrder order :
         {simt::WarpOrder::SideBySide, simt::WarpOrder::InOrder, simt::WarpOrder::Reversed, simt::WarpOrder::Random}) {
      SmallLaunch kernel = launchOf(text);
      EXPECT_EQ(outputOf(kernel, {.schedule = schedule, .order = order}), expected) << text;
    }
  }
  const std::vector<Finding> findings = launchOf(text).faults();
  EXPECT_THAT(kindsOf(findings), IsEmpty()) << text << findings.front().message;
}

std::vector<Finding> found(const std::string& text) { return launchOf(text).faults(); }

/// The one finding; its message.
std::string messageOf(const std::string& text, FindingKind kind) {
  const std::vector<Finding> findings = found(text);
  EXPECT_THAT(kindsOf(findings), ElementsAre(kind)) << text;
  return findings.empty() ? std::string() : findings.front().message;
}

// The usual helpers of published kernels.
constexpr const char* kHelpers = R"(
__device__ __forceinline__ unsigned sa(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void init(unsigned long long* b, int n) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(sa(b)), "r"(n));
}
__device__ __forceinline__ void expect(unsigned long long* b, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(sa(b)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void arrive(unsigned long long* b) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(sa(b)) : "memory");
}
__device__ __forceinline__ void wait(unsigned long long* b, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred P1;\n"
      "LAB_WAIT:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE;\n"
      "bra LAB_WAIT;\n"
      "DONE:\n"
      "}" :: "r"(sa(b)), "r"(parity) : "memory");
}
__device__ __forceinline__ void bulk(void* to, const void* from, unsigned bytes, unsigned long long* b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];  // a copy"
      :: "r"(sa(to)), "l"(from), "r"(bytes), "r"(sa(b)) : "memory");
}
)";

/// A kernel that copies its block's part of `in` into `tile`, and reverses it into `out`; `start` copies.
std::string reversing(const std::string& start, const std::string& wait, const std::string& before = "") {
  return kHelpers + std::string(R"(
__global__ void k(int* out, const int* in) {
  __shared__ alignas(128) int tile[64];
  __shared__ unsigned long long bar;
  const int* part = in + 64 * blockIdx.x;
  )") + before +
         R"(
  if (threadIdx.x == 0) { init(&bar, 1); asm volatile("fence.proxy.async;" ::: "memory"); }
  __syncthreads();
  if (threadIdx.x == 0) { )" +
         start + "}\n" + wait + R"(
  out[64 * blockIdx.x + threadIdx.x] = tile[63 - threadIdx.x];
})";
}

TEST(BulkCopy, InlineAssemblyOfPublishedKernels) {
  expectReversed(reversing("expect(&bar, 256); bulk(tile, part, 256, &bar);", "wait(&bar, 0);"));
  // In two parts, and the bytes are expected after them.
  expectReversed(reversing("bulk(tile, part, 128, &bar); bulk(tile + 32, part + 32, 128, &bar); expect(&bar, 256);",
                           "wait(&bar, 0);"));
  // Without a loop in the assembly.
  expectReversed(reversing("expect(&bar, 256); bulk(tile, part, 256, &bar);", R"(unsigned done = 0;
  while (!done) {
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
                 : "=r"(done) : "r"(sa(&bar)), "r"(0));
  })"));
}

TEST(BulkCopy, ThroughAnAddressThatWasComputed) {
  expectReversed(reversing(R"(unsigned to = sa(tile), at = sa(&bar);
    for (int i = 0; i < 2; ++i) {
      asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at), "r"(128));
      asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   :: "r"(to), "l"(part + 32 * i), "n"(128), "r"(at) : "memory");
      to += 128;
    }
    arrive(&bar);)",
                           "wait(&bar, 0);"));
}

TEST(BulkCopy, BarriersOfTheLibrary) {
  expectReversed(R"(#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void k(int* out, const int* in) {
  __shared__ alignas(16) int tile[64];
  #pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) { init(&bar, blockDim.x); cuda::device::experimental::fence_proxy_async_shared_cta(); }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in + 64 * blockIdx.x, cuda::aligned_size_t<16>(sizeof(tile)), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  out[64 * blockIdx.x + threadIdx.x] = tile[63 - threadIdx.x];
})");
}

TEST(BulkCopy, PtxOfTheLibraryToSharedMemoryAndBack) {
  expectReversed(R"(#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
__global__ void k(int* out, const int* in) {
  __shared__ alignas(16) int tile[64], result[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) { init(&bar, 1); ptx::fence_proxy_async(ptx::space_shared); }
  __syncthreads();
  if (threadIdx.x == 0) {
    uint64_t* handle = cuda::device::barrier_native_handle(bar);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in + 64 * blockIdx.x, sizeof(tile), handle);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, handle, sizeof(tile));
  }
  while (!ptx::mbarrier_try_wait_parity(cuda::device::barrier_native_handle(bar), 0)) {}
  result[threadIdx.x] = tile[63 - threadIdx.x];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 64 * blockIdx.x, result, sizeof(result));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
})");
}

TEST(BulkCopy, ProducerAndConsumersWithARing) {
  expectReversed(kHelpers + std::string(R"(
__global__ void k(int* out, const int* in) {
  __shared__ alignas(16) int ring[2][8];
  __shared__ unsigned long long full[2], empty[2];
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) { init(&full[s], 1); init(&empty[s], 8); }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) {
      for (int i = 0; i < 8; ++i) {
        if (i >= 2) wait(&empty[i % 2], (i / 2 - 1) & 1);
        expect(&full[i % 2], 32);
        bulk(ring[i % 2], in + 64 * blockIdx.x + 8 * i, 32, &full[i % 2]);
      }
    }
  } else if (threadIdx.x < 40) {
    for (int i = 0; i < 8; ++i) {
      wait(&full[i % 2], i / 2 & 1);
      int t = threadIdx.x - 32;
      out[64 * blockIdx.x + 63 - 8 * i - t] = ring[i % 2][t];
      arrive(&empty[i % 2]);
    }
  }
})"));
}

TEST(BulkCopy, ReadBeforeItsBytesHaveArrived) {
  // By another thread: a race. By the thread itself: it has not arrived.
  const std::string message =
      messageOf(reversing("expect(&bar, 256); bulk(tile, part, 256, &bar);", ""), FindingKind::RaceShared);
  EXPECT_THAT(message, AllOf(HasSubstr("tile["), HasSubstr("read")));
  const std::string own = messageOf(
      reversing("expect(&bar, 256); bulk(tile, part, 256, &bar); out[64 * blockIdx.x] = tile[5];", "wait(&bar, 0);"),
      FindingKind::NotArrived);
  EXPECT_THAT(own, AllOf(HasSubstr("tile[5] is read by thread (0,0,0)"), HasSubstr("barrier that expects its bytes")));
}

TEST(BulkCopy, RefilledWhileOthersRead) {
  // The second copy goes to memory that warp 1 may still read: nothing orders that read before it.
  const std::string text = reversing("expect(&bar, 256); bulk(tile, part, 256, &bar);", R"(wait(&bar, 0);
  int first = tile[63 - threadIdx.x];
  if (threadIdx.x == 0) { expect(&bar, 256); bulk(tile, part, 256, &bar); }
  wait(&bar, 1);
  if (first < 0) return;)");
  EXPECT_THAT(kindsOf(found(text)), Contains(::testing::AnyOf(FindingKind::RaceShared, FindingKind::NotArrived)));
}

TEST(BulkCopy, WaitForBytesThatNeverCome) {
  const std::string fewer =
      messageOf(reversing("expect(&bar, 256); bulk(tile, part, 128, &bar);", "wait(&bar, 0);"), FindingKind::Endless);
  EXPECT_THAT(fewer, AllOf(HasSubstr("128 of the 256 bytes"), HasSubstr("1 of 1 arrivals"), HasSubstr("bar")));
  const std::string more =
      messageOf(reversing("expect(&bar, 128); bulk(tile, part, 256, &bar);", "wait(&bar, 0);"), FindingKind::Endless);
  EXPECT_THAT(more, HasSubstr("256 of the 128 bytes"));
  const std::string noArrival =
      messageOf(reversing("bulk(tile, part, 256, &bar);", "wait(&bar, 0);"), FindingKind::Endless);
  EXPECT_THAT(noArrival, HasSubstr("0 of 1 arrivals"));
  const std::string wrongPhase =
      messageOf(reversing("expect(&bar, 256); bulk(tile, part, 256, &bar);", "wait(&bar, 0); wait(&bar, 1);"),
                FindingKind::Endless);
  EXPECT_THAT(wrongPhase, HasSubstr("phase 1"));
}

TEST(BulkCopy, BarriersUsedWrongly) {
  EXPECT_THAT(
      messageOf(reversing("expect(&bar, 0); expect(&bar, 0); expect(&bar, 16); expect(&bar, 0);", "wait(&bar, 0);"),
                FindingKind::Endless),
      HasSubstr("once more than its phase 2 is for"));
  EXPECT_THAT(messageOf(kHelpers + std::string(R"(__global__ void k(int* out, const int* in) {
  __shared__ unsigned long long bar;
  wait(&bar, 0);
  out[threadIdx.x] = in[threadIdx.x];
})"),
                        FindingKind::Endless),
              HasSubstr("before it is initialised"));
}

TEST(BulkCopy, WhatThreadsHaveStoredNeedsAProxyFence) {
  const std::string zeros = "tile[threadIdx.x] = 0;";
  const std::string start = "expect(&bar, 256); bulk(tile, part, 256, &bar);";
  const std::string message = messageOf(reversing(start, "wait(&bar, 0);", zeros), FindingKind::ProxyFence);
  EXPECT_THAT(message, AllOf(HasSubstr("fills tile["), HasSubstr("has stored to at line")));
  const std::string fence = R"( asm volatile("fence.proxy.async.shared::cta;" ::: "memory");)";
  expectReversed(reversing(start, "wait(&bar, 0);", zeros + fence));
  // The copying thread's own fence counts once it has met the others.
  expectReversed(reversing(fence + start, "wait(&bar, 0);", zeros));
}

TEST(BulkCopy, AddressesAndSizes) {
  const std::vector<Finding> misaligned =
      found(reversing("expect(&bar, 128); bulk(tile, part + 1, 128, &bar);", "wait(&bar, 0);",
                      "tile[threadIdx.x] = 0;"
                      R"(asm volatile("fence.proxy.async;" ::: "memory");)"));
  ASSERT_THAT(kindsOf(misaligned), ElementsAre(FindingKind::Misaligned));
  EXPECT_THAT(misaligned.front().message, HasSubstr("multiple of 16"));
  EXPECT_THAT(kindsOf(found(reversing("expect(&bar, 120); bulk(tile, part, 120, &bar);", "wait(&bar, 0);"))),
              Contains(FindingKind::FailedAssertion));
  EXPECT_THAT(kindsOf(found(reversing("expect(&bar, 256); bulk(tile + 32, part, 256, &bar);", "wait(&bar, 0);"))),
              Contains(FindingKind::OutOfBounds));
  EXPECT_THAT(kindsOf(found(reversing("expect(&bar, 256); bulk(tile, part + 160, 256, &bar);", "wait(&bar, 0);"))),
              Contains(FindingKind::OutOfBounds));
}

TEST(BulkCopy, WhatIsNotUnderstoodIsNamed) {
  const auto refusal = [](const std::string& statement) {
    try {
      launchOf("__global__ void k(int* out, const int* in) { unsigned x = 0; " + statement + " out[0] = x + in[0]; }");
    } catch (const lowering::LoweringError& error) {
      return std::string(error.what());
    } catch (const std::exception& error) { return std::string(error.what()); }
    return std::string();
  };
  EXPECT_THAT(refusal(R"(asm volatile("wgmma.fence.sync.aligned;");)"), HasSubstr("wgmma.fence.sync.aligned"));
  EXPECT_THAT(refusal(R"(asm volatile("mov.u32 %0, %%clock;" : "=r"(x));)"), HasSubstr("mov.u32"));
  EXPECT_THAT(
      refusal(
          R"(asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%0], 3;" :: "r"(x), "l"(in), "r"(x));)"),
      HasSubstr("multicast"));
}

}  // namespace
}  // namespace haloscope::test
