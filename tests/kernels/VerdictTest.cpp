#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "checking/Check.h"
#include "opening/OpenedFile.h"

/// Short kernels as students write them, and the verdict on each, in cases that depend on the inputs, sizes or
/// reference chosen by the check.
namespace haloscope::experiment {
namespace {

struct Verdict {
  std::string name, text;
  std::set<std::string> kinds;             ///< of the findings; empty: clean
  std::string says{};                      ///< a part of a finding's message or of a note
  std::optional<bool> matchesReference{};  ///< null: not compared
  friend std::ostream& operator<<(std::ostream& out, const Verdict& one) { return out << one.name; }
};

const std::string kIndex = "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n";

std::string host(const std::string& types, const std::string& call) {
  return "int main() { " + types + " k<<<8, 128>>>(" + call + "); }\n";
}

const std::string kFloats =
    host("int n = 1000; float *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);", "a, b, n");
const std::string kBytes = host("int n = 1000; unsigned char *a, *b; cudaMalloc(&a, n); cudaMalloc(&b, n);", "a, b, n");
const std::string kInts = host("int n = 1000; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);", "a, b, n");

std::string one(const std::string& body, const std::string& type = "float") {
  return "__global__ void k(const " + type + "* in, " + type + "* out, int n) {\n" + kIndex + body + "}\n";
}

/// A 3 by 3 convolution whose loop body is `tap`, with `store` at its end.
std::string convolution(const std::string& guard, const std::string& tap, const std::string& store,
                        const std::string& type = "float") {
  return "__constant__ float F[3][3];\n__global__ void conv(const " + type + "* in, " + type +
         "* out, int width, int height) {\n"
         "  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;\n  if (" +
         guard +
         ") return;\n  float s = 0;\n  for (int j = 0; j < 3; ++j) for (int i = 0; i < 3; ++i) {\n"
         "    int rr = r - 1 + j, cc = c - 1 + i;\n    " +
         tap + "\n  }\n  out[r * width + c] = " + store + ";\n}\nint main() { int w = 60, h = 40; " + type +
         " *a, *b; cudaMalloc(&a, w * h * sizeof(" + type + ")); cudaMalloc(&b, w * h * sizeof(" + type +
         ")); conv<<<dim3(4, 3), dim3(16, 16)>>>(a, b, w, h); }\n";
}

const std::string kOutside = "c >= width || r >= height";
const std::string kZeroTap = "if (rr >= 0 && rr < height && cc >= 0 && cc < width) s += F[j][i] * in[rr * width + cc];";
const std::string kScale2d =
    "__global__ void scale(const float* in, float* out, int width, int height) {\n"
    "  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;\n  ";

std::vector<Verdict> verdicts() {
  return {
      // Integers that are not all zero.
      {"BytesWrittenTwice", one("  if (i < n) out[i / 2] = in[i];\n", "unsigned char") + kBytes, {"race-global"}},
      {"IntsToOneShared",
       one("  __shared__ int m;\n  if (i < n) m = in[i];\n  __syncthreads();\n  if (i < n) out[i] = m;\n", "int") +
           kInts,
       {"race-shared"}},
      {"BytesAsBins",
       "__global__ void k(const unsigned char* in, unsigned char* out, int n) {\n  __shared__ unsigned s[64];\n"
       "  if (threadIdx.x < 64) s[threadIdx.x] = 0;\n  __syncthreads();\n" +
           kIndex +
           "  if (i < n) atomicAdd(&s[in[i]], 1u);\n  __syncthreads();\n  if (i < n) out[i] = s[i % 64];\n}\n" + kBytes,
       {"out-of-bounds"}},
      {"IndicesArePermuted",
       "__global__ void k(const float* in, const int* index, float* out, int n) {\n" + kIndex +
           "  if (i < n) out[index[i]] = in[i];\n}\n" +
           host("int n = 1000; float *a, *b; int* x; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4); "
                "cudaMalloc(&x, n * 4);",
                "a, x, b, n"),
       {}},
      {"ByteImageIsRounded", convolution(kOutside, kZeroTap, "s", "unsigned char"), {}, "", true},
      {"ByteImageTransposed",
       convolution(kOutside, "if (rr >= 0 && rr < height && cc >= 0 && cc < width) s += F[i][j] * in[rr * width + cc];",
                   "s", "unsigned char"),
       {"wrong-result"},
       "transposed",
       false},
      // A value that a compare-and-swap reads again, and one that is never read.
      {"LoadIsConfirmed",
       "__global__ void k(const int* in, int* best, int n) {\n" + kIndex +
           "  if (i >= n) return;\n  int old = *best, assumed;\n  do {\n    assumed = old;\n"
           "    old = atomicCAS(best, assumed, assumed + in[i]);\n  } while (assumed != old);\n}\n" +
           host("int n = 1000; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, 4);", "a, b, n"),
       {}},
      {"LoadIsNotConfirmed",
       "__global__ void k(const int* in, int* best, int n) {\n" + kIndex +
           "  if (i < n && in[i] > *best) atomicMax(best, in[i]);\n}\n" +
           host("int n = 1000; int *a, *b; cudaMalloc(&a, n * 4); cudaMalloc(&b, 4);", "a, b, n"),
       {"race-global"}},
      // The filter is 5 by 5, whatever the name of its edge.
      {"TransposedByAnyName",
       "#define FR 2\n__constant__ float F[2 * FR + 1][2 * FR + 1];\n"
       "__global__ void conv(float* N, float* P, int width, int height) {\n"
       "  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;\n"
       "  if (col >= width || row >= height) return;\n  float s = 0;\n"
       "  for (int r = 0; r < 2 * FR + 1; ++r) for (int c = 0; c < 2 * FR + 1; ++c) {\n"
       "    int y = row - FR + r, x = col - FR + c;\n"
       "    if (y >= 0 && y < height && x >= 0 && x < width) s += F[c][r] * N[y * width + x];\n  }\n"
       "  P[row * width + col] = s;\n}\n",
       {"wrong-result"},
       "transposed",
       false},
      // Sizes that blocks do not divide.
      // The sizes of the arrays are unknown: what the kernel accesses is what it needs.
      {"NoGuard", kScale2d + "out[row * width + col] = 2.0f * in[row * width + col];\n}\n", {}},
      {"GuardOneTooFar",
       kScale2d + "if (col <= width && row <= height) out[row * width + col] = 2.0f * in[row * width + col];\n}\n",
       {}},
      // Intended quotients and casts.
      {"QuotientOfAnIndex", one("  if (i < n) out[i] = in[i] * (i / 16) * 0.1f;\n") + kFloats, {}},
      {"HalfOfASize", one("  float centre = n / 3;\n  if (i < n) out[i] = in[i] * (i - centre);\n") + kFloats, {}},
      {"CastIsMeant", one("  if (i < n) { float x = in[i] * 10.0f; out[i] = x - (int)x; }\n") + kFloats, {}},
      {"AccumulatorLosesFractions",
       one("  int s = 0;\n  for (int d = 0; d < 2; ++d) if (i + d < n) s += in[i + d];\n  if (i < n) out[i] = s;\n") +
           kFloats,
       {"integer-truncation"}},
      {"MeanInIntegers",
       "__global__ void k(const int* in, float* out, int n) {\n" + kIndex +
           "  if (i + 1 < n) { int s = in[i] + in[i + 1]; out[i] = s / 2; }\n}\n" +
           host("int n = 1000; int* a; float* b; cudaMalloc(&a, n * 4); cudaMalloc(&b, n * 4);", "a, b, n"),
       {"integer-truncation"}},
      // Unsigned arithmetic.
      {"RandomNumbers",
       one("  unsigned s = i * 1664525u + 1013904223u;\n  s ^= s >> 16;\n  s = s * 22695477u + 1u;\n"
           "  if (i < n) out[i] = in[i] + s * 2.3283064e-10f;\n") +
           kFloats,
       {}},
      {"WrapThatIsNotUsed",
       "__global__ void k(const float* in, float* out, unsigned n) {\n  unsigned i = blockIdx.x * blockDim.x + "
       "threadIdx.x;\n  if (i >= n) return;\n  size_t left = i - 1;\n  out[i] = i > 0 ? in[left] : 0.f;\n}\n" +
           kFloats,
       {}},
      {"WrapThatIsUsed",
       "__global__ void k(const float* in, float* out, unsigned n) {\n  unsigned i = blockIdx.x * blockDim.x + "
       "threadIdx.x;\n  if (i >= n) return;\n  size_t left = i - 1;\n  out[i] = in[left];\n}\n" +
           kFloats,
       {"unsigned-wrap"},
       "became 4294967295"},
      {"LoopThatNeverRuns",
       one("  float s = 0;\n  for (int d = -1; d < sizeof(float); ++d) s += 1;\n  if (i < n) out[i] = in[i] + s;\n") +
           kFloats,
       {"unsigned-wrap"},
       "d is -1"},
      {"RemainderByZero",
       one("  if (i < n) { int step = i / 500; out[i] = in[i] + (step > 5 ? 0 : i % step); }\n") + kFloats,
       {"division-by-zero"},
       "step"},
      {"GuardedQuotient", one("  if (i < n) out[i] = in[i] + (i > 0 ? n / i : 0);\n") + kFloats, {}},
      // Long, but not endless.
      {"SquareOfTheSize",
       one("  float s = 0;\n  if (i < n) { for (int j = 0; j < n; ++j) for (int l = 0; l < n; ++l) s += in[j] * in[l]; "
           "out[i] = s; }\n") +
           kFloats,
       {},
       "too long to follow"},
      {"ManyRounds",
       one("  float s = 0;\n  for (int r = 0; r < 20000; ++r) for (int q = 0; q < 20000; ++q) s += r * q;\n"
           "  if (i < n) out[i] = s + in[i];\n") +
           kFloats,
       {"unsupported"},
       "whether it ends later is not known"},
      {"CounterTooNarrow",
       one("  float s = 0;\n  for (unsigned char j = 0; j < n; ++j) s += 1;\n  if (i < n) out[i] = s + in[i];\n") +
           kFloats,
       {"endless"}},
      // A reference suggested only by a name.
      {"Convolution", convolution(kOutside, kZeroTap, "s"), {}, "", true},
      {"ClampedConvolution",
       convolution(kOutside,
                   "s += F[j][i] * in[(rr < 0 ? 0 : rr >= height ? height - 1 : rr) * width + "
                   "(cc < 0 ? 0 : cc >= width ? width - 1 : cc)];",
                   "s"),
       {},
       "repeat the nearest point",
       true},
      {"PeriodicConvolution",
       convolution(kOutside, "s += F[j][i] * in[(rr + height) % height * width + (cc + width) % width];", "s"),
       {},
       "opposite edge",
       true},
      {"ValidConvolution",
       convolution("c < 1 || r < 1 || c >= width - 1 || r >= height - 1", "s += F[j][i] * in[rr * width + cc];", "s"),
       {},
       "not written",
       true},
      {"FlippedConvolution",
       convolution(kOutside,
                   "if (rr >= 0 && rr < height && cc >= 0 && cc < width) s += F[2 - j][2 - i] * in[rr * width + cc];",
                   "s"),
       {},
       "flipped",
       true},
      {"ScaledConvolution", convolution(kOutside, kZeroTap, "255.0f * s"), {}, "not compared"},
      {"RectifiedConvolution", convolution(kOutside, kZeroTap, "s > 0 ? s : 0"), {}, "not compared"},
      {"OneRowMissing", convolution("c >= width || r >= height - 1", kZeroTap, "s"), {"unwritten-output"}, "", false},
  };
}

class VerdictTest : public ::testing::TestWithParam<Verdict> {};

TEST_P(VerdictTest, IsTheRightOne) {
  const Verdict& expected = GetParam();
  const opening::OpenedFile opened = opening::openText("k.cu", expected.text, {});
  ASSERT_EQ(opened.kernels.size(), 1U) << (opened.diagnostics.empty() ? "" : opened.diagnostics.front().message);
  const opening::ProposedKernel& kernel = opened.kernels.front();
  const checking::CheckReport report = checking::check(kernel.file, {}, {.stepBudget = 5'000'000});
  std::set<std::string> kinds;
  std::string text;
  for (const faults::Finding& finding : report.findings) {
    kinds.insert(faults::rowOf(finding.kind).name);
    text += finding.text() + "\n";
  }
  for (const std::string& note : report.notes) { text += note + "\n"; }
  EXPECT_EQ(kinds, expected.kinds) << text;
  EXPECT_NE(text.find(expected.says), std::string::npos) << text;
  EXPECT_EQ(report.evidence.matches(), expected.matchesReference) << text;
}

INSTANTIATE_TEST_SUITE_P(Kernels, VerdictTest, ::testing::ValuesIn(verdicts()),
                         [](const auto& verdict) { return verdict.param.name; });

TEST(FillingTest, FillingsAreDescribed) {
  const opening::OpenedFile opened =
      opening::openText("k.cu", one("  if (i < n) out[i] = in[i];\n", "int") + kInts, {});
  ASSERT_EQ(opened.kernels.size(), 1U);
  const auto& assumptions = opened.kernels.front().assumptions;
  EXPECT_TRUE(std::ranges::any_of(assumptions, [](const std::string& one) {
    return one.find("in is filled with random integers from -100 to 100") != std::string::npos;
  }));
}

}  // namespace
}  // namespace haloscope::experiment
