#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "FaultSupport.h"
#include "simt/EndlessLoops.h"
#include "simt/Executor.h"

// A loop that takes long may end; only one whose state recurs does not.

namespace haloscope::test {
namespace {

using simt::Outcome;

struct LoopCase {
  const char* name;
  const char* body;  ///< of a kernel with `int* a` of 64 elements, all 0, and `int n`, which is 100
  Outcome outcome;
  std::uint32_t threads = 64;
};

void PrintTo(const LoopCase& one, std::ostream* out) { *out << one.name; }

class EndlessLoop : public testing::TestWithParam<LoopCase> {};

TEST_P(EndlessLoop, IsToldFromALongOne) {
  const LoopCase& one = GetParam();
  const SmallLaunch kernel(std::string("__global__ void k(int* a, int n) {\n  ") + one.body + "\n}\n", {1, 1, 1},
                           {one.threads, 1, 1}, 64, 100);
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    Launch launch = kernel.launch;
    const simt::ExecuteResult result =
        simt::execute(kernel.program, launch, {}, {.schedule = schedule, .instructionBudget = 50'000});
    EXPECT_EQ(result.outcome, one.outcome) << result.message;
    EXPECT_EQ(result.where.line, 2);
  }
}

const LoopCase kCases[] = {
    {"NoIncrement", "for (int i = 0; i < n;) a[threadIdx.x] += 1;", Outcome::Endless},
    {"NoTest", "for (int i = 0;; ++i) a[threadIdx.x] = i;", Outcome::Endless},
    {"HalvedToZero", "for (int s = n / 2; s >= 0; s >>= 1) { a[threadIdx.x] += 1; __syncthreads(); }",
     Outcome::Endless},
    {"UnsignedCountdown", "for (unsigned i = n; i >= 0; --i) a[threadIdx.x] = i;", Outcome::Endless},
    {"StrideOfZero", "for (int i = threadIdx.x; i < n; i += blockDim.x / 100) a[threadIdx.x] += i;", Outcome::Endless},
    {"NarrowCounter", "for (signed char i = 0; i < n + 100; ++i) a[threadIdx.x] += i;", Outcome::Endless},
    {"Oscillates", "int x = 1; while (x != 0) x = -x;", Outcome::Endless},
    {"InnerLoopsEnd", "int x = 1; while (x < n) { for (int i = 0; i < 5; ++i) { if (i == 3) continue; a[0] += 1; } }",
     Outcome::Endless},
    {"LanesThatStay", "for (int i = threadIdx.x; i != 63; i += 63 - i > 40 ? 0 : 1) a[threadIdx.x] += 1;",
     Outcome::Endless},
    {"InLocalMemory", "int v[2] = {0, 1}; while (v[n % 2] == 0) v[1] = v[1] == 1 ? 2 : 1;", Outcome::Endless},
    {"FlagOfNobody", "while (atomicAdd(&a[1], 0) == 0) {}", Outcome::Endless},
    {"OtherWarpsWaitAtABarrier",
     "if (threadIdx.x < 32) { while (atomicAdd(&a[1], 0) == 0) {} } __syncthreads(); a[1] = 1;", Outcome::Endless},
    {"BothWarpsWait", "while (atomicAdd(&a[threadIdx.x / 32], 0) == 0) {} a[1 - threadIdx.x / 32] = 1;",
     Outcome::Endless},
    {"Counts", "int s = 0; for (int i = 0; i < 100000000; ++i) s += i; a[threadIdx.x] = s;", Outcome::LongLoop},
    {"CountsDown", "int i = 100000000; while (true) { if (i-- == 0) break; a[threadIdx.x] = i; }", Outcome::LongLoop},
    {"CountsInMemory", "while (a[threadIdx.x] < 100000000) a[threadIdx.x] += 1;", Outcome::LongLoop},
    {"CountsInLocalMemory", "int v[2] = {0, 0}; while (v[n % 2] < 100000000) v[n % 2] += 1; a[0] = v[0];",
     Outcome::LongLoop},
    {"CountsByAFloat", "float x = 0; while (x < 1e6f) x += 0.5f; a[threadIdx.x] = x;", Outcome::LongLoop},
    {"StoresWhatACounterSays", "int i = 0; while (atomicAdd(&a[0], 0) == 0) { ++i; a[0] = i > 100000000; }",
     Outcome::LongLoop, 1},
    {"AnotherWarpOpensItLate",
     "if (threadIdx.x < 32) { while (atomicAdd(&a[1], 0) == 0) {} } else { int s = 0; for (int i = 0; i < 100000000; "
     "++i) "
     "s ^= i; a[1] = s | 1; }",
     Outcome::LongLoop},
    {"AnotherLaneOpensItLate",
     "if (threadIdx.x > 0) { while (atomicAdd(&a[1], 0) == 0) {} } else { int s = 0; for (int i = 0; i < 100000000; "
     "++i) "
     "s ^= i; a[1] = s | 1; }",
     Outcome::LongLoop, 32},
    {"AVoteOfTheBlock", "int i = threadIdx.x; while (__syncthreads_or(i < 100000000)) ++i; a[0] = i;",
     Outcome::LongLoop},
};

INSTANTIATE_TEST_SUITE_P(Loops, EndlessLoop, testing::ValuesIn(kCases),
                         [](const auto& loop) { return std::string(loop.param.name); });

TEST(LoopControl, IsWhatTestsAndJumpsDependOn) {
  const SmallLaunch kernel(R"(__global__ void k(const int* in, int* out, int n) {
  int sum = 0, i = 0, last = 0;
  while (in[i] < n) {
    sum += out[i];
    if (last > 3) break;
    last = sum > 7 ? i : last;
    i += 1;
  }
  out[0] = sum;
})",
                           {1, 1, 1}, {32, 1, 1}, 4);
  const simt::LoopControl control = simt::controlOf(kernel.program, 0);
  EXPECT_TRUE(control.known);
  EXPECT_TRUE(control.memory) << "out is written";
  EXPECT_EQ(control.variables.size(), 3U);
}

}  // namespace
}  // namespace haloscope::test
