#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "FaultSupport.h"

namespace haloscope::test {
namespace {

using faults::Finding;
using faults::FindingKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Bounds, NamesTheElementTheThreadAndTheArrayAndTheOtherPlaces) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i - 1] + in[i + 1];
})",
                           {4, 1, 1}, {32, 1, 1}, 128);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(found[0].message, "in[-1] is read by thread (0,0,0) of block (0,0,0): in has 128 elements, 0 to 127");
  EXPECT_EQ(found[0].where.column, 12);
  EXPECT_EQ(found[0].occurrences, 2U);
  EXPECT_THAT(indices(found[0]), ElementsAre(0, 127));
  EXPECT_EQ(found[0].outputCount, 2U);
  ASSERT_EQ(found[0].also.size(), 1U);
  EXPECT_EQ(found[0].also[0].where.column, 24);
  EXPECT_EQ(found[0].also[0].message,
            "in[128] is read by thread (31,0,0) of block (3,0,0): in has 128 elements, 0 to 127");
}

TEST(Bounds, CountsEachPlaceOnceHoweverOftenItFails) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  __shared__ float tile[2][8];
  for (int k = 0; k < 3; ++k) { tile[1][threadIdx.x + k] = 1.0f; __syncthreads(); }
  out[threadIdx.x] = tile[1][0];
})",
                           {5, 1, 1}, {8, 1, 1}, 8);
  for (const unsigned workers : {1U, 3U}) {
    const std::vector<Finding> found = kernel.faults({}, workers);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].occurrences, 5U * (1 + 2));
    EXPECT_EQ(found[0].interval, 1U);
    EXPECT_EQ(found[0].message,
              "tile[16] is written by thread (7,0,0) of block (0,0,0): tile has 16 elements, 0 to 15");
  }
}

TEST(Traps, AFailedAssertionNamesItsThreadAndTheValuesInIt) {
  const SmallLaunch kernel(R"(__device__ float half(float x) {
  assert(x < 3.0f);
  return 0.5f * x;
}
__global__ void f(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = half(i * 0.5f);
  assert(out[i] >= 0);
})",
                           {2, 1, 1}, {4, 1, 1}, 8);
  for (const unsigned workers : {1U, 3U}) {
    const std::vector<Finding> found = kernel.faults({}, workers);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::FailedAssertion);
    EXPECT_EQ(found[0].where.line, 2);
    EXPECT_EQ(found[0].occurrences, 2U);
    EXPECT_EQ(found[0].threads, (std::vector<faults::ThreadPlace>{{{1, 0, 0}, {2, 0, 0}}}));
    EXPECT_EQ(found[0].message,
              "assert(x < 3.0f) fails in thread (2,0,0) of block (1,0,0), where x is 3: a GPU ends the program here "
              "with error 710 (cudaErrorAssert)");
  }
}

TEST(Misalignment, AVectorBeginsAtAMultipleOfItsSize) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v = *reinterpret_cast<const float2*>(in + 3 * i);
  reinterpret_cast<float4*>(out + 2)[i] = make_float4(v.x, v.y, v.x, v.y);
})",
                           {2, 1, 1}, {32, 1, 1}, 260);
  for (const unsigned workers : {1U, 3U}) {
    const std::vector<Finding> found = kernel.faults({}, workers);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].kind, FindingKind::Misaligned);
    EXPECT_EQ(found[0].where.line, 3);
    EXPECT_EQ(found[0].occurrences, 32U) << "every odd thread";
    EXPECT_EQ(
        found[0].message,
        "8 bytes are read at once from in[3] on by thread (1,0,0) of block (0,0,0), but in[3] begins at byte 12 of "
        "in, which is not a multiple of 8: on a GPU the kernel ends with a misaligned address");
    EXPECT_EQ(found[1].kind, FindingKind::Misaligned);
    EXPECT_EQ(found[1].where.line, 4);
    EXPECT_EQ(found[1].occurrences, 64U);
    EXPECT_THAT(found[1].message, HasSubstr("16 bytes are written at once from out[2] on by thread (0,0,0)"));
  }
}

TEST(Misalignment, ANumberBeginsAtAMultipleOfItsSize) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  const char* bytes = reinterpret_cast<const char*>(in);
  out[threadIdx.x] = *reinterpret_cast<const float*>(bytes + 2 * threadIdx.x);
})",
                           {1, 1, 1}, {32, 1, 1}, 32);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::Misaligned);
  EXPECT_EQ(found[0].occurrences, 16U);
  EXPECT_EQ(
      found[0].message,
      "in[0] is read by thread (1,0,0) of block (0,0,0) at an address between two elements, which is not a multiple "
      "of 4: on a GPU the kernel ends with a misaligned address");
}

TEST(Misalignment, StructsOfTheAlignmentOfTheirMembersMayBeginAnywhere) {
  const SmallLaunch kernel(R"(struct Point { float x, y, z, w; };
__global__ void f(const float* in, float* out) {
  int i = threadIdx.x;
  Point p = *reinterpret_cast<const Point*>(in + i);
  float3 q = *reinterpret_cast<const float3*>(in + i + 1);
  double2 d = reinterpret_cast<const double2*>(in)[i % 4];
  out[i] = p.w + q.x + (float)d.y;
})",
                           {1, 1, 1}, {32, 1, 1}, 64);
  EXPECT_THAT(kernel.faults(), ElementsAre());
}

TEST(SignedOverflows, NameTheOperationAndItsValues) {
  const SmallLaunch kernel(R"(__global__ void f(float* out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i * stride + 7;
  if (at >= 0) out[at % 8] = 1.0f;
})",
                           {129, 1, 1}, {256, 1, 1}, 8, 65536);
  for (const unsigned workers : {1U, 3U}) {
    std::vector<Finding> found = kernel.faults({}, workers);
    std::erase_if(found, [](const Finding& one) { return one.kind == FindingKind::RaceGlobal; });
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, FindingKind::SignedOverflow);
    EXPECT_EQ(found[0].where.line, 3);
    EXPECT_EQ(found[0].occurrences, 256U) << "the sum of a wrapped product does not overflow again";
    EXPECT_EQ(found[0].message,
              "32768 * 65536 is 2147483648, which no int can hold: undefined in C++ (here it wraps around to "
              "-2147483648), in thread (0,0,0) of block (128,0,0); compute it in 64 bits, as with (size_t)");
  }
}

TEST(SignedOverflows, HashesAndUnsignedNumbersAreLeftAlone) {
  const SmallLaunch kernel(R"(__global__ void f(float* out, int seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int random = (seed + i) * 1103515245 + 12345;
  unsigned hash = (unsigned)i * 2654435761u;
  if (i < 8) out[i] = ((random >> 16) & 0x7fff) / 32768.0f + hash % 10u + out[hash >> 29];
})",
                           {1, 1, 1}, {8, 1, 1}, 8, 12345);
  std::vector<Finding> found = kernel.faults();
  std::erase_if(found, [](const Finding& one) { return one.kind == FindingKind::RaceGlobal; });
  EXPECT_THAT(found, ElementsAre());
}

TEST(FaultPropagation, ARaceReachesWhatIsComputedFromItsReads) {
  const SmallLaunch kernel(R"(__global__ void f(const float* in, float* out) {
  __shared__ float tile[32];
  __shared__ float sums[32];
  int x = threadIdx.x;
  tile[x] = in[blockIdx.x * 32 + x];
  float left = x >= 20 ? tile[x - 1] : 0.0f;
  sums[31 - x] = left * 2.0f;
  __syncthreads();
  out[blockIdx.x * 32 + x] = sums[x];
})",
                           {2, 1, 1}, {32, 1, 1}, 64);
  const std::vector<Finding> found = kernel.faults({"out"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, FindingKind::RaceShared);
  EXPECT_THAT(indices(found[0]), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 32, 33, 34, 35));
  EXPECT_EQ(found[0].outputCount, 24U);
}

TEST(FaultPropagation, OfTwoWritersEitherMayHaveTheLastWord) {
  const SmallLaunch kernel("__global__ void f(float* out) { out[threadIdx.x / 4 + 3] = threadIdx.x; }", {1, 1, 1},
                           {32, 1, 1}, 16);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(indices(found[0]), ElementsAre(3, 4, 5, 6, 7, 8, 9, 10));
}

class OutputCoverage : public ::testing::Test {
 protected:
  /// A sweep over an 8×8 grid that computes only the points selected by `condition`.
  static std::vector<Finding> faults(const std::string& condition, const std::vector<bool>& expected) {
    SmallLaunch kernel("__global__ void f(float* out) {\n  int i = threadIdx.y;\n  int j = threadIdx.x;\n  if (" +
                           condition + ") { out[i * 8 + j] = 1.0f; }\n}",
                       {1, 1, 1}, {8, 8, 1}, 64);
    faults::FaultOptions options;
    options.output = kernel.program.findObject("out");
    kernel.launch.arrays[options.output].extents = {8, 8};
    options.expected = expected;
    return faults::findFaults(kernel.program, kernel.launch, options).findings;
  }
  static std::vector<bool> interior() {
    std::vector<bool> expected(64);
    for (std::size_t at = 0; at < expected.size(); ++at) {
      const std::size_t i = at / 8;
      const std::size_t j = at % 8;
      expected[at] = i > 0 && i < 7 && j > 0 && j < 7;
    }
    return expected;
  }
};

TEST_F(OutputCoverage, NamesRowsAndColumns) {
  EXPECT_TRUE(faults("true", {}).empty());
  EXPECT_TRUE(faults("i > 0 && i < 7 && j > 0 && j < 7", interior()).empty());
  const std::vector<Finding> row = faults("i < 7", {});
  ASSERT_EQ(row.size(), 1U);
  EXPECT_EQ(row[0].kind, FindingKind::UnwrittenOutput);
  EXPECT_EQ(row[0].occurrences, 8U);
  EXPECT_EQ(row[0].message,
            "8 elements of out should be written, and no thread writes them: the last row, from out[56]");
  EXPECT_THAT(faults("j > 0", {})[0].message, HasSubstr("the first column, from out[0]"));
  EXPECT_THAT(faults("i < 2 || i > 4", {})[0].message, HasSubstr("rows 2 to 4, from out[16]"));
  EXPECT_THAT(faults("i > 0 && i < 7 && j > 0 && j < 6", interior())[0].message,
              HasSubstr("the last column, from out[14]"));
  EXPECT_THAT(faults("i > 0 && i != j", interior())[0].message, HasSubstr("the first is out[9]"));
  EXPECT_THAT(faults("i != 3 || j != 4", {})[0].message, HasSubstr("out[28] should be written"));
  EXPECT_THAT(faults("i > 9", {})[0].message, HasSubstr("all of it"));
}

TEST(Faults, ArraysAreUsedAsOtherTypes) {
  const std::string text = R"(__global__ void f(const float* in, float* out) {
  __shared__ char raw[256];
  float* tile = (float*)raw;
  tile[threadIdx.x] = in[threadIdx.x];
  BARRIER
  double* pairs = (double*)raw;
  double pair = pairs[threadIdx.x / 2];
  char* bytes = (char*)out;
  out[threadIdx.x] = tile[63 - threadIdx.x];
  bytes[4 * threadIdx.x + 3] = pair > 0.0;
})";
  std::string right = text;
  right.replace(right.find("BARRIER"), 7, "__syncthreads();");
  std::string faulty = text;
  faulty.replace(faulty.find("BARRIER"), 7, "");
  EXPECT_TRUE(SmallLaunch(right, {1, 1, 1}, {64, 1, 1}, 64).faults({"out"}).empty());
  const std::vector<Finding> found = SmallLaunch(faulty, {1, 1, 1}, {64, 1, 1}, 64).faults({"out"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, ::testing::StartsWith("raw[0] is written by thread (0,0,0) at line 4 and read by"));
  EXPECT_EQ(found[0].outputCount, 64U);
  ASSERT_EQ(found[0].also.size(), 1U);
  EXPECT_EQ(found[0].also[0].other.line, 9);

  const SmallLaunch outside(R"(__global__ void f(float* out) {
  double* pairs = (double*)out;
  pairs[threadIdx.x] = 1.0;
  ((char*)out)[-1 - (int)threadIdx.x] = 0;
})",
                            {1, 1, 1}, {8, 1, 1}, 14);
  const std::vector<Finding> beyond = outside.faults();
  ASSERT_EQ(beyond.size(), 1U);
  ASSERT_EQ(beyond[0].also.size(), 1U);
  EXPECT_EQ(beyond[0].message, "out[14] is written by thread (7,0,0) of block (0,0,0): out has 14 elements, 0 to 13");
  EXPECT_EQ(beyond[0].also[0].message,
            "out[-1] is written by thread (0,0,0) of block (0,0,0): out has 14 elements, 0 to 13");
}

TEST(Faults, SharedMemoryNeedNotBeAWholeNumberOfElements) {
  SmallLaunch kernel(R"(__global__ void f(float* out) {
  extern __shared__ float tile[];
  char* bytes = (char*)tile;
  bytes[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = bytes[9 - threadIdx.x];
})",
                     {1, 1, 1}, {10, 1, 1}, 10);
  kernel.launch.configuration.dynamicSharedBytes = 10;
  EXPECT_TRUE(kernel.faults({"out"}).empty());
}

TEST(Faults, NameTheMemberOfAStruct) {
  const SmallLaunch kernel(R"(struct Cell { float a; double c; };
__global__ void f(float* out) {
  __shared__ Cell tile[64];
  int t = threadIdx.x;
  tile[t].a = t;
  tile[t].c = t;
  out[t] = tile[t].a + tile[63 - t].c + tile[t + 32].a;
})",
                           {1, 1, 1}, {64, 1, 1}, 64);
  const std::vector<Finding> found = kernel.faults();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].message, ::testing::StartsWith("tile[32].a is written by thread (32,0,0) at line 5"));
  ASSERT_EQ(found[0].also.size(), 1U);
  EXPECT_THAT(found[0].also[0].message, ::testing::StartsWith("tile[0].c is written by thread (0,0,0) at line 6"));
  EXPECT_EQ(found[1].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(found[1].message, "tile[64].a is read by thread (32,0,0) of block (0,0,0): tile has 64 elements, 0 to 63");
}

TEST(Faults, OfBlocksAfterAFailedOneAreNotReported) {
  const SmallLaunch kernel(R"(__global__ void f(float* out) {
  out[blockIdx.x * 32 + threadIdx.x + 5] = 1.0f;
  if (blockIdx.x == 11 && threadIdx.x < 3) { __syncthreads(); }
  out[64 * 32 + blockIdx.x] = 2.0f;
})",
                           {64, 1, 1}, {32, 1, 1}, 64);
  for (const unsigned workers : {1U, 2U, 5U}) {
    const std::vector<Finding> found = kernel.faults({}, workers);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].occurrences, 12U * 32 - 64 + 5);
    EXPECT_EQ(found[1].kind, FindingKind::DivergentBarrier);
    EXPECT_EQ(found[1].threads[0].block.x, 11U);
    EXPECT_EQ(found[2].occurrences, 11U * 32);
  }
}

TEST(Faults, DoNotDependOnTheNumberOfWorkers) {
  const SmallLaunch kernel(R"(__global__ void f(float* a, float* out) {
  __shared__ float tile[32];
  int i = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.x] = a[i + 1];
  float v = tile[(threadIdx.x + 1) % 32] + tile[(threadIdx.x + 5) % 32];
  a[i] = v;
  out[i] = v;
})",
                           {16, 1, 1}, {32, 1, 1}, 512);
  const std::vector<Finding> one = kernel.faults({"out"}, 1);
  ASSERT_EQ(one.size(), 3U);
  for (const unsigned workers : {2U, 3U, 7U}) {
    const std::vector<Finding> several = kernel.faults({"out"}, workers);
    ASSERT_EQ(several.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(several[i].message, one[i].message);
      EXPECT_EQ(several[i].occurrences, one[i].occurrences);
      EXPECT_EQ(several[i].outputCount, one[i].outputCount);
      EXPECT_EQ(several[i].outputs, one[i].outputs);
      ASSERT_EQ(several[i].also.size(), one[i].also.size());
      for (std::size_t k = 0; k < one[i].also.size(); ++k) {
        EXPECT_EQ(several[i].also[k].message, one[i].also[k].message);
      }
    }
  }
}

}  // namespace
}  // namespace haloscope::test
