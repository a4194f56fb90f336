#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "FaultSupport.h"
#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "provenance/IntegerRanges.h"

/// Which sums and products may pass 2^31, found without executing them.
namespace haloscope::test {
namespace {

/// The lines with such an operation.
std::vector<int> lines(const Program& program, const Launch& launch) {
  const provenance::IntegerRanges ranges(program, launch);
  std::vector<int> found;
  for (std::uint32_t at = 0; at < program.code.size(); ++at) {
    if (program.code[at].bulk) { continue; }  // of the map of a tensor copy, which is in memory, nothing is known
    const int line = program.code[at].range.line;
    if (ranges.mayOverflow(at) && (found.empty() || found.back() != line)) { found.push_back(line); }
  }
  return found;
}

TEST(IntegerRanges, NothingInTheCatalogueCanOverflow) {
  for (const KernelFile& file : catalogue().kernels()) {
    // These have indices in an array of the thread's own, and of what is in memory nothing is known.
    if (file.id.starts_with("beyond/3d_7_time")) { continue; }
    const Bindings bindings = file.bind(file.defaults());
    const Program program = experiment::compile(file, bindings);
    const Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
    EXPECT_EQ(lines(program, launch), std::vector<int>{}) << file.id;
  }
}

/// The lines of a kernel in 50,000 blocks of 256 threads in which something may overflow.
std::vector<int> linesOf(const std::string& body, std::uint64_t size = 1000) {
  const SmallLaunch kernel("__global__ void f(const int* in, int* out, int n, int m) {\n" + body + "\n}",
                           {50'000, 1, 1}, {256, 1, 1}, 8, size);
  return lines(kernel.program, kernel.launch);
}

TEST(IntegerRanges, FollowSizesArgumentsAndConditions) {
  const std::vector<int> none;
  EXPECT_EQ(linesOf("int i = blockIdx.x * blockDim.x + threadIdx.x;\nout[i * 167] = 1;"), none);
  EXPECT_EQ(linesOf("int i = blockIdx.x * blockDim.x + threadIdx.x;\nout[i * 168] = 1;"), std::vector<int>{3});
  EXPECT_EQ(linesOf("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < 1000) out[i * 168] = 1;"), none);
  EXPECT_EQ(linesOf("int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i >= n || n > 5000) return;\n"
                    "out[i * 168] = 1;"),
            none);
  EXPECT_EQ(linesOf("int i = threadIdx.x - 3;\nout[max(i, 0) * n * n * 8] = 1;"), none);
  EXPECT_EQ(linesOf("int i = threadIdx.x - 3;\nout[max(i, 0) * n * n * 9] = 1;"), std::vector<int>{3});
  EXPECT_EQ(linesOf("out[n * m * n] = 1;"), none);
  EXPECT_EQ(linesOf("out[n * m * n * 3] = 1;"), std::vector<int>{2});
  EXPECT_EQ(linesOf("out[(long long)n * m * n * 3] = 1;"), none);
  EXPECT_EQ(linesOf("unsigned u = n;\nout[u * m * n * 3] = 1;"), none) << "unsigned numbers wrap around";
  EXPECT_EQ(linesOf("out[in[0] + 1] = 1;"), std::vector<int>{2}) << "what is in memory can be anything";
  EXPECT_EQ(linesOf("out[in[0] % 100 + 1] = 1;"), none);
}

TEST(IntegerRanges, FindUnsignedNumbersTooLargeForAnInt) {
  const std::string global = "int i = blockIdx.x * blockDim.x + threadIdx.x;\nout[i] = 1;";
  for (const auto& [blocks, expected] :
       {std::pair(8'388'608U, std::vector<int>{}), {8'388'609U, std::vector<int>{2}}}) {
    const SmallLaunch kernel("__global__ void f(const int* in, int* out, int n, int m) {\n" + global + "\n}",
                             {blocks, 1, 1}, {256, 1, 1}, 8);
    EXPECT_EQ(lines(kernel.program, kernel.launch), expected);
  }
  EXPECT_EQ(linesOf("int i = threadIdx.x - 3u;\nout[i] = 1;"), std::vector<int>{}) << "it passed below zero";
  EXPECT_EQ(linesOf("int i = threadIdx.x * 2654435761u;\nout[i] = 1;"), std::vector<int>{}) << "a hash";
}

TEST(IntegerRanges, CountTheTurnsOfLoops) {
  const std::vector<int> none;
  EXPECT_EQ(linesOf("for (int i = 0; i < n; ++i) {\n  out[i * n + i] = 1;\n}"), none);
  EXPECT_EQ(linesOf("for (int i = 0; i <= n; ++i) {\n  out[i * n * n * 2 + i] = 1;\n}"), none);
  EXPECT_EQ(linesOf("for (int i = 0; i <= n; ++i) {\n  out[i * n * n * 3 + i] = 1;\n}"), std::vector<int>{3});
  EXPECT_EQ(linesOf("for (int i = n - 1; i >= 0; i -= 3) {\n  out[i * n] = 1;\n}"), none);
  EXPECT_EQ(linesOf("int k = n;\nwhile (k > 0) {\n  out[k * n] = 1;\n  k /= 2;\n}"), none);
  EXPECT_EQ(linesOf("int at = 5;\nfor (int i = 0; i < n; ++i) {\n  out[at] = 1;\n  at += n * 2000;\n}"), none);
  EXPECT_EQ(linesOf("int at = 5;\nfor (int i = 0; i < n; ++i) {\n  out[at] = 1;\n  at += n * 2200;\n}"),
            std::vector<int>{5});
  EXPECT_EQ(linesOf("int at = 0;\nfor (int i = 0; i < n; ++i) {\n  if (in[i] > 0) continue;\n  at += n;\n"
                    "  for (int j = 0; j < 10; ++j) out[at + j] = 1;\n}"),
            none);
  EXPECT_EQ(linesOf("for (int s = blockDim.x / 2; s > 0; s >>= 1) {\n  out[threadIdx.x + s] = 1;\n}"), none);
  EXPECT_EQ(linesOf("for (int s = 1; s < blockDim.x; s *= 2) {\n  out[2 * s * threadIdx.x] = 1;\n}"), none);
  EXPECT_EQ(linesOf("for (int i = threadIdx.x; i < n; i += blockDim.x) {\n  out[i * n] = 1;\n}"), none);
  EXPECT_EQ(linesOf("int i = 0;\ndo {\n  out[i * n] = 1;\n  ++i;\n} while (i < n);"), none);
  EXPECT_EQ(linesOf("for (int i = 0; i < n; ++i) {\n  switch (in[i]) {\n    case 1: out[i * n] = 1; break;\n"
                    "    default: continue;\n  }\n}"),
            none);
  EXPECT_EQ(linesOf("int i = 0;\nwhile (in[i] != 0) {\n  i += n;\n}"), std::vector<int>{4}) << "who knows how often";
}

}  // namespace
}  // namespace haloscope::test
