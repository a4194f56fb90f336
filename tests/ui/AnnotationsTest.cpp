#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "CommandLineSupport.h"

/// What other programs read: SARIF, annotations of GitHub, Gradescope's results and JUnit XML.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::CommandLineTest;

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kBlur =
    "__global__ void blur(const float* in, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;\n"
    "}\n";

class AnnotationsTest : public CommandLineTest {
 protected:
  [[nodiscard]] fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  [[nodiscard]] fs::path faulty(const std::string& name = "faulty.cu") const {
    return write(name, read(HALOSCOPE_SOURCE_DIR "/tests/programs/cpu_conv1d_right_end_wrong.cu"));
  }
};

TEST_F(AnnotationsTest, SarifHasPlaceRuleAndExecutedFix) {
  const fs::path file = faulty();
  const Reply reply = run("check " + file.string() + " --format=sarif");
  ASSERT_EQ(reply.status, 1) << reply.err;
  const json log = json::parse(reply.out);
  EXPECT_EQ(log.at("version"), "2.1.0");
  ASSERT_EQ(log.at("runs").size(), 1U);
  const json& only = log.at("runs").at(0);
  EXPECT_EQ(only.at("tool").at("driver").at("name"), "Haloscope");
  EXPECT_EQ(only.at("invocations").at(0).at("executionSuccessful"), true);
  const json& wrong = only.at("results").at(0);
  EXPECT_EQ(wrong.at("ruleId"), "wrong-result");
  EXPECT_EQ(wrong.at("level"), "error");
  EXPECT_THAT(wrong.at("message").at("text").get<std::string>(), HasSubstr("with <= instead of <"));
  const json& place = wrong.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "file://" + file.string());
  const int line = place.at("region").at("startLine");
  EXPECT_GT(line, 0);
  EXPECT_GT(place.at("region").at("endColumn").get<int>(), place.at("region").at("startColumn").get<int>());
  const json& replaced = wrong.at("fixes").at(0).at("artifactChanges").at(0).at("replacements").at(0);
  EXPECT_EQ(replaced.at("deletedRegion").at("startLine"), line);
  EXPECT_EQ(replaced.at("insertedContent").at("text"), "<=");
  // Each result has its rule, once.
  const json& rules = only.at("tool").at("driver").at("rules");
  for (const json& result : only.at("results")) {
    EXPECT_EQ(std::ranges::count_if(rules, [&](const json& rule) { return rule.at("id") == result.at("ruleId"); }), 1);
  }
}

TEST_F(AnnotationsTest, SarifSaysWhatWasNotExecuted) {
  const fs::path file = write("broken.cu", "__global__ void k(float* out) { out[0] = ; }\n");
  const Reply reply = run("check " + file.string() + " --format=sarif");
  EXPECT_EQ(reply.status, 2);
  const json log = json::parse(reply.out);
  const json& invocation = log.at("runs").at(0).at("invocations").at(0);
  EXPECT_EQ(invocation.at("executionSuccessful"), false);
  EXPECT_EQ(invocation.at("toolExecutionNotifications").size(), 1U);
  EXPECT_TRUE(log.at("runs").at(0).at("results").empty());
}

TEST_F(AnnotationsTest, GithubTakesASentenceForOneCommand) {
  const fs::path file = faulty("a, b:c.cu");
  const Reply reply = run("check '" + file.string() + "' --format=github");
  EXPECT_EQ(reply.status, 1) << reply.err;
  std::smatch command;
  const std::regex kCommand("::error file=([^,\n]*),line=(\\d+),col=\\d+,title=Haloscope%3A wrong-result::([^\n]*)\n");
  ASSERT_TRUE(std::regex_search(reply.out, command, kCommand)) << reply.out;
  EXPECT_THAT(command[1].str(), HasSubstr("a%2C b%3Ac.cu"));
  EXPECT_THAT(command[3].str(), HasSubstr("%0A")) << "the sentence of the fix follows";
  EXPECT_THAT(reply.out, HasSubstr("1 kernel in 1 file: 0 right, 1 with findings"));
  EXPECT_EQ(run("check " + file.string() + " --format=xml").status, 2);
}

TEST_F(AnnotationsTest, AutogradersGetATestForEachHandIn) {
  const fs::path reference = write("reference.cu", kBlur);
  static_cast<void>(write("hand-ins/right.cu", kBlur));
  static_cast<void>(write("hand-ins/wrong.cu", std::regex_replace(kBlur, std::regex("/ 3"), "/ 4 * (i < 9)")));
  static_cast<void>(write("hand-ins/other.cu", "__global__ void k(float* a, long b) { a[threadIdx.x] = b; }\n"));
  static_cast<void>(write("hand-ins/broken.cu", "__global__ void k(float* <a) { }\n"));
  const fs::path results = folder_ / "results.json", junit = folder_ / "junit.xml";
  const Reply reply = run("grade " + (folder_ / "hand-ins").string() + " --reference " + reference.string() +
                          " --gradescope " + results.string() + " --points 20 --junit " + junit.string());
  EXPECT_EQ(reply.status, 1) << reply.err;
  const json tests = json::parse(read(results)).at("tests");
  ASSERT_EQ(tests.size(), 4U);
  double score = 0, most = 0;
  for (const json& test : tests) {
    const bool passed = test.at("name").get<std::string>().starts_with("right.cu");
    EXPECT_EQ(test.at("status"), passed ? "passed" : "failed") << test;
    EXPECT_FALSE(test.at("output").get<std::string>().empty());
    score += test.at("score").get<double>();
    most += test.at("max_score").get<double>();
  }
  EXPECT_DOUBLE_EQ(score, 5);
  EXPECT_DOUBLE_EQ(most, 20);
  const std::string xml = read(junit);
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"hand-ins\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"hand-ins\" name=\"right.cu\"/>"));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"hand-ins\" name=\"wrong.cu\">\n      <failure message="));
  EXPECT_THAT(xml, HasSubstr("name=\"broken.cu\">\n      <error message="));
  EXPECT_THAT(xml, HasSubstr("name=\"other.cu\">\n      <skipped message="));
  EXPECT_THAT(xml, Not(HasSubstr("<a)"))) << "texts of a hand-in are escaped";
}

}  // namespace
}  // namespace haloscope
