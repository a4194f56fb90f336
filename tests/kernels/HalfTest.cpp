#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "FaultSupport.h"
#include "program/Half.h"
#include "simt/Executor.h"

namespace haloscope::test {
namespace {

float rounded(double value) { return static_cast<float>(roundedToHalf(value)); }

/// Runs a kernel `k(const half* a, const half* b, float* out)` over pairs of halves, one per thread.
std::vector<float> run(const std::string& body, const std::vector<std::uint16_t>& a,
                       const std::vector<std::uint16_t>& b) {
  const std::string text =
      "#include <cuda_fp16.h>\n__global__ void k(const half* a, const half* b, float* out) {\n"
      "  int t = blockIdx.x * blockDim.x + threadIdx.x;\n" +
      body + "\n}\n";
  const auto blocks = static_cast<std::uint32_t>(a.size() / 64);
  SmallLaunch kernel(text, {blocks, 1, 1}, {64, 1, 1}, static_cast<std::int64_t>(a.size()));
  std::memcpy(kernel.launch.arrays[kernel.program.findObject("a")].bytes.data(), a.data(), a.size() * 2);
  std::memcpy(kernel.launch.arrays[kernel.program.findObject("b")].bytes.data(), b.data(), b.size() * 2);
  EXPECT_EQ(kernel.launch.arrays[kernel.program.findObject("a")].bytes.size(), a.size() * 2);
  const simt::ExecuteResult result = simt::execute(kernel.program, kernel.launch);
  EXPECT_EQ(result.outcome, simt::Outcome::Finished) << result.message;
  EXPECT_EQ(result.outOfBounds, 0U);
  std::vector<float> out(a.size());
  std::memcpy(out.data(), kernel.launch.arrays[kernel.program.findObject("out")].bytes.data(), out.size() * 4);
  return out;
}

struct Pairs {
  std::vector<std::uint16_t> a, b;

  Pairs() {
    std::mt19937 random(7);
    for (int i = 0; i < 4096; ++i) {
      a.push_back(static_cast<std::uint16_t>(random() & 0xbfffU));  // finite, and small enough for finite sums
      b.push_back(static_cast<std::uint16_t>(random() & 0xbfffU));
    }
  }
};

TEST(HalfPrecision, EachOperationRoundsOnce) {
  const Pairs pairs;
  const auto expectEach = [&](const std::string& expression, auto expected) {
    const std::vector<float> out = run("out[t] = (float)(" + expression + ");", pairs.a, pairs.b);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const float wanted = expected(double{halfValue(pairs.a[i])}, double{halfValue(pairs.b[i])});
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(out[i]));
      } else {
        ASSERT_EQ(out[i], wanted) << expression << " of " << halfValue(pairs.a[i]) << " and " << halfValue(pairs.b[i]);
      }
    }
  };
  expectEach("a[t] + b[t]", [](double x, double y) { return rounded(x + y); });
  expectEach("__hsub(a[t], b[t])", [](double x, double y) { return rounded(x - y); });
  expectEach("a[t] * b[t]", [](double x, double y) { return rounded(x * y); });
  expectEach("a[t] / b[t]", [](double x, double y) { return rounded(x / y); });
  expectEach("-a[t]", [](double x, double) { return rounded(-x); });
  expectEach("__hfma(a[t], b[t], a[t])", [](double x, double y) { return rounded(std::fma(x, y, x)); });
  expectEach("a[t] < b[t] ? b[t] : a[t]", [](double x, double y) { return rounded(x < y ? y : x); });
  expectEach("__half2float(a[t]) * 3.0f", [](double x, double) { return static_cast<float>(x) * 3.0F; });
  expectEach("__float2half(__half2float(a[t]) * 0.1f)",
             [](double x, double) { return rounded(static_cast<float>(x) * 0.1F); });
}

TEST(HalfPrecision, ConvertsFromIntegersAndDoublesAndBack) {
  const Pairs pairs;
  const std::vector<float> fromInt = run("out[t] = (float)(half)(t * 37 - 900);", pairs.a, pairs.b);
  const std::vector<float> fromDouble = run("out[t] = (half)(t * 0.7310585786);", pairs.a, pairs.b);
  const std::vector<float> toInt = run("half h = t * 0.37f; out[t] = (int)h + (h > half(3.0f));", pairs.a, pairs.b);
  for (std::size_t t = 0; t < 1024; ++t) {
    const auto number = static_cast<double>(t);
    EXPECT_EQ(fromInt[t], rounded(number * 37 - 900));
    EXPECT_EQ(fromDouble[t], rounded(number * 0.7310585786));
    const float h = rounded(static_cast<float>(t) * 0.37F);
    EXPECT_EQ(toInt[t], std::trunc(h) + (h > 3.0F ? 1.0F : 0.0F));
  }
}

TEST(HalfPrecision, PairsSharedMemoryAndShuffles) {
  const Pairs pairs;
  const std::vector<float> out = run(R"(
  __shared__ half tile[64];
  tile[threadIdx.x] = a[t];
  __syncthreads();
  half2 both = __halves2half2(tile[threadIdx.x], b[t]);
  both = __hadd2(both, __float2half2_rn(1.0f)) * both;
  half other = __shfl_xor_sync(0xffffffff, both.y, 1);
  out[t] = __low2float(both) + __half2float(other);)",
                                     pairs.a, pairs.b);
  for (std::size_t t = 0; t < out.size(); ++t) {
    const double x = halfValue(pairs.a[t]);
    const double y = halfValue(pairs.b[t ^ 1U]);
    const float low = rounded(double{rounded(x + 1)} * x);
    const float high = rounded(double{rounded(y + 1)} * y);
    EXPECT_EQ(out[t], low + high) << t;
  }
}

TEST(HalfPrecision, WithoutItsHeaderHalfIsANameLikeAnyOther) {
  const SmallLaunch kernel(
      "__device__ int half(int x) { return x / 2; }\n__global__ void k(int* out) { out[0] = half(9); }\n", {1, 1, 1},
      {1, 1, 1}, 1);
  Launch launch = kernel.launch;
  static_cast<void>(simt::execute(kernel.program, launch));
  EXPECT_EQ(launch.arrays[0].bytes[0], std::byte{4});
}

}  // namespace
}  // namespace haloscope::test
