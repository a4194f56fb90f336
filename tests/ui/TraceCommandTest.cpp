#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "CommandLineSupport.h"

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

}  // namespace
}  // namespace haloscope
