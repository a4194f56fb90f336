#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "CommandLineSupport.h"
#include "TextFile.h"

/// `haloscope trace`.
namespace haloscope {
namespace {

using nlohmann::json;
using test::CommandLineTest;

using ::testing::HasSubstr;

TEST_F(CommandLineTest, TracesAnOutputAcrossThePlaneRotation) {
  const Reply result = run("trace stencil/coarsened --output-cell 7,5,6 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json trace = json::parse(result.out);
  EXPECT_EQ(trace["output"], "out[7][5][6]");
  bool rotated = false;
  for (const json& operand : trace["operands"]) {
    if (operand["operand"] != "in[6][5][6]") { continue; }
    rotated = true;
    ASSERT_EQ(operand["hops"].size(), 2U);
    EXPECT_THAT(operand["hops"][0]["place"].get<std::string>(), HasSubstr("inCurr_s"));
    EXPECT_THAT(operand["hops"][1]["place"].get<std::string>(), HasSubstr("inPrev_s"));
    EXPECT_LT(operand["loaded_at"], operand["hops"][1]["step"]);
    EXPECT_LT(operand["hops"][1]["step"], operand["used_at"]);
  }
  EXPECT_TRUE(rotated);
  EXPECT_EQ(run("trace stencil/coarsened --output-cell 0,0,0").status, 2) << "no thread writes the border";
  EXPECT_EQ(run("trace stencil/coarsened --output-cell 1,2").status, 2);
  EXPECT_EQ(run("trace stencil/coarsened --output-cell 1,2,x").status, 2);
  EXPECT_EQ(run("trace stencil/coarsened --output-cell 1,2,99").status, 2);
}

TEST_F(CommandLineTest, TracesGhostsWithTheirPlaceOutside) {
  const Reply result = run("trace convolution/tiled_input_block --output-cell 0,0 --json");
  ASSERT_EQ(result.status, 0) << result.err;
  const json trace = json::parse(result.out);
  std::vector<std::string> ghosts;
  for (const json& operand : trace["operands"]) {
    if (operand["role"] != "ghost") { continue; }
    ghosts.push_back(operand["operand"]);
    EXPECT_EQ(operand["value"], "0");
    EXPECT_EQ(operand["grid_point"][0], 0);
  }
  EXPECT_THAT(ghosts, ::testing::ElementsAre("in[-1][-1]", "in[-1][0]", "in[-1][1]", "in[0][-1]", "in[1][-1]"));
  EXPECT_EQ(trace["terms"].size(), 10U);
  EXPECT_EQ(trace["terms_add_up"], true);
}

TEST_F(CommandLineTest, TracesAFileInAnOrderOfWarps) {
  const std::string file = HALOSCOPE_SOURCE_DIR "/kernels/stencil/tiled.cu";
  const std::string text = read(file);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(text.find("__syncthreads")), '\n');
  const Reply result =
      run("trace " + file + " --output-cell 3,3,3 --order reversed --json --without-barrier " + std::to_string(line));
  ASSERT_EQ(result.status, 0) << result.err;
  const json trace = json::parse(result.out);
  std::vector<std::string> faults;
  for (const json& operand : trace["operands"]) {
    if (operand["role"] == "uninitialised") { faults.push_back(operand["fault"]); }
  }
  EXPECT_THAT(faults, ::testing::ElementsAre("read before thread (4,3,4) wrote it (step 90)",
                                             "read before thread (4,4,3) wrote it (step 102)"));
  EXPECT_EQ(trace["terms_add_up"], false) << "the sum is NaN";
}

TEST_F(CommandLineTest, AProgramsKernelIsTracedOnItsOwnNumbers) {
  const fs::path file = folder_ / "own.cu";
  test::writeFile(file, R"cuda(
__global__ void blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) { out[i] = in[i - 1] + in[i] + in[i + 1]; }
}
int main() {
  float host[] = {4, 1, 3, 2, 3};
  float *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  blur<<<1, 32>>>(in, out, 5);
}
)cuda");
  const Reply own = run("trace " + file.string() + " --output-cell 2 --json");
  ASSERT_EQ(own.status, 0) << own.err;
  EXPECT_EQ(json::parse(own.out)["value"], "6");
  EXPECT_EQ(json::parse(own.out)["program_data"], "launch 1 of 1");
  const Reply changed = run("trace " + file.string() + " --output-cell 2 --json --data in@3=10");
  ASSERT_EQ(changed.status, 0) << changed.err;
  EXPECT_EQ(json::parse(changed.out)["value"], "14") << "a single element on the program's own numbers";
  EXPECT_EQ(json::parse(changed.out)["data"], json({"in@3=10"}));
}

TEST_F(CommandLineTest, AtASizeWithoutAComputedPointTheMessageSaysSo) {
  const Reply reply = run("trace stencil/basic --size 1 --output-cell 0,0,0");
  EXPECT_EQ(reply.status, 2);
  EXPECT_THAT(reply.err, HasSubstr("At N = 1 no point is computed"));
}

}  // namespace
}  // namespace haloscope
