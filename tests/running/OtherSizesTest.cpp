#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "running/OtherSizes.h"
#include "running/ProgramRun.h"

namespace haloscope::running {
namespace {

std::vector<std::string> faultsOf(const std::string& guard, const std::string& grid, const std::string& size = "1024") {
  host::HostProgram program;
  program.files.push_back({"scale.cu",
                           "__global__ void scale(const float* in, float* out, int n) {\n"
                           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
                               guard +
                               "out[i] = 2.0f * in[i];\n}\n"
                               "int main() {\n  int n = " +
                               size +
                               ";\n  float *a, *b;\n"
                               "  cudaMalloc(&a, n * sizeof(float));\n  cudaMalloc(&b, n * sizeof(float));\n"
                               "  cudaMemset(a, 0, n * sizeof(float));\n  scale<<<" +
                               grid + ", 128>>>(a, b, n);\n  cudaFree(a);\n  cudaFree(b);\n}\n"});
  RunOptions options;
  options.executable = HALOSCOPE_BINARY;
  options.compilerHeaders = std::filesystem::path(HALOSCOPE_BINARY).parent_path() / "assets" / "clang" / "include";
  ProgramRun result = run(program, options);
  EXPECT_EQ(result.end, ProgramEnd::Exited) << result.message;
  addFaultsAtOtherSizes(program, options, result);
  std::vector<std::string> messages;
  for (const faults::Finding& one : result.launches.at(0).findings) { messages.push_back(one.message); }
  return messages;
}

TEST(OtherSizes, AMissingGuardIsFoundWhereTheStatedSizeHidesIt) {
  EXPECT_THAT(faultsOf("", "(n + 127) / 128"), ::testing::Contains(::testing::HasSubstr("at n = 1021")));
}

TEST(OtherSizes, AValueLongerThanItsTextIsTriedToo) {
  EXPECT_THAT(faultsOf("", "(n + 127) / 128", "1<<14"), ::testing::Contains(::testing::HasSubstr("at n = 16381")));
}

TEST(OtherSizes, AGuardedKernelHasNone) {
  EXPECT_THAT(faultsOf("if (i < n) ", "(n + 127) / 128"), ::testing::IsEmpty());
}

TEST(OtherSizes, AGridOfWholeBlocksNeedsNoGuard) { EXPECT_THAT(faultsOf("", "n / 128"), ::testing::IsEmpty()); }

}  // namespace
}  // namespace haloscope::running
