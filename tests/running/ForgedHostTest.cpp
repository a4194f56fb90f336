#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "process/ChildProcess.h"
#include "running/ProgramRun.h"

// The host process executes a stranger's code. Whatever it sends when that code has taken it over, this side ends in
// time, with a sentence, and with results that can be shown.

namespace haloscope::running {
namespace {

constexpr RunBudget kSmall{.deviceBytes = std::uint64_t{64} << 20, .hostBytes = std::uint64_t{64} << 20};

/// What comes of a run whose host process is ForgedHost.
ProgramRun runForged(const std::string& how, const RunBudget& budget = kSmall) {
  const host::HostProgram program{
      .files = {{"main.cu",
                 "__constant__ float filter[4];\n"
                 "__global__ void twice(float* in, float* out, int n) { out[threadIdx.x] = 2 * in[threadIdx.x]; }\n"
                 "int main() { cudaStream_t streams[9]; }\n"}}};
  RunOptions options;
  options.executable = process::thisProgram();
  options.compilerHeaders = how;
  options.budget = budget;
  options.budget.hostTime = std::chrono::seconds(1);
  options.budget.kernelTime = std::chrono::milliseconds(how == "launches" ? 100 : 5000);
  options.comparesOwnFunctions = true;
  options.budget.warpInstructions = 1'000'000;
  options.workers = 1;
  return run(program, options);
}

class ForgedMessages : public testing::TestWithParam<int> {};

TEST_P(ForgedMessages, AreAnsweredOrEndTheRun) {
  const ProgramRun run = runForged("messages:" + std::to_string(GetParam()));
  EXPECT_NE(run.end, ProgramEnd::Exited);
  EXPECT_NE(run.message, "");
}

TEST_P(ForgedMessages, OfRandomBytesEndTheRun) {
  const ProgramRun run = runForged("bytes:" + std::to_string(GetParam()));
  EXPECT_NE(run.end, ProgramEnd::Exited);
  EXPECT_TRUE(run.launches.empty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, ForgedMessages, testing::Range(0, 24));

/// Of this process, as /proc/self/status has it: "VmRSS", and "VmHWM" for the most so far.
std::size_t mebibytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) { return std::stoul(line.substr(name.size() + 1)) >> 10; }
  }
  return 0;
}

class ForgedSizes : public testing::TestWithParam<int> {};

TEST_P(ForgedSizes, CostNothing) {
  std::ofstream("/proc/self/clear_refs") << "5";  // the most so far is what there is now
  const std::size_t before = mebibytes("VmRSS");
  const ProgramRun run = runForged("claims:" + std::to_string(GetParam()), RunBudget{});
  EXPECT_NE(run.end, ProgramEnd::Exited);
  EXPECT_NE(run.message, "");
  ASSERT_GT(before, 0U);
  EXPECT_LT(mebibytes("VmHWM"), before + 256);
}

INSTANTIATE_TEST_SUITE_P(Messages, ForgedSizes, testing::Range(0, 8));

TEST(ForgedHost, ThatSendsStringsWithoutALengthIsEnded) {
  const ProgramRun run = runForged("strings");
  EXPECT_EQ(run.end, ProgramEnd::Failed);
  EXPECT_EQ(run.message, "a message of the host process cannot be read: a value of it has no length");
}

TEST(ForgedHost, ThatSaysNothingIsEnded) {
  EXPECT_EQ(runForged("silent").end, ProgramEnd::TooLong);
  EXPECT_EQ(runForged("half").end, ProgramEnd::TooLong);
}

TEST(ForgedHost, ThatDoesNotReadItsAnswersIsEnded) {
  const ProgramRun run = runForged("deaf");
  EXPECT_THAT(run.end, testing::AnyOf(ProgramEnd::TooLong, ProgramEnd::Crashed));
}

TEST(ForgedHost, ThatFloodsTheOutputIsEnded) {
  const ProgramRun run = runForged("flood");
  EXPECT_EQ(run.end, ProgramEnd::TooLong);
  EXPECT_LT(run.output.size(), std::size_t{64} << 20);
  EXPECT_GT(run.outputLeftOut, 0U);
}

TEST(ForgedHost, CannotBeginAgain) {
  EXPECT_EQ(runForged("twice").end, ProgramEnd::Failed);
  EXPECT_EQ(runForged("names").end, ProgramEnd::Failed);
}

/// Which places in the program's text are left of those that the process claims.
std::set<std::string> textOf(const std::vector<host::HostPlace>& places) {
  std::set<std::string> texts;
  for (const host::HostPlace& at : places) { texts.insert(at.file + ":" + std::to_string(at.line)); }
  return texts;
}

TEST(ForgedHost, CannotNameOtherFilesOrLines) {
  const std::set<std::string> real{"main.cu:2", "main.cu:3", ":0"};
  const ProgramRun run = runForged("places");
  std::vector<host::HostPlace> places;
  for (const HostFinding& one : run.findings) { places.push_back(one.at); }
  EXPECT_EQ(textOf(places), real);
  EXPECT_EQ(run.end, ProgramEnd::Uncaught);
  EXPECT_EQ(run.endedAt, host::HostPlace());

  places.clear();
  const ProgramRun rejected = runForged("problems");
  for (const host::HostDiagnostic& one : rejected.problems) {
    places.push_back(one.where);
    EXPECT_EQ(one.column, one.where.line > 0 ? 5 : 0);
  }
  EXPECT_EQ(rejected.problems.size(), 9U);
  EXPECT_EQ(textOf(places), real);
}

TEST(ForgedHost, CannotHaveKernelsReadWithoutEnd) {
  const ProgramRun run = runForged("kernels");
  EXPECT_THAT(run.end, testing::AnyOf(ProgramEnd::Failed, ProgramEnd::TooLong));
  EXPECT_NE(run.message, "");
}

TEST(ForgedHost, CannotHaveLaunchesPreparedWithoutEnd) {
  const ProgramRun run = runForged("launches");
  EXPECT_EQ(run.end, ProgramEnd::TooLong);
  EXPECT_THAT(run.message, testing::HasSubstr("calls"));
}

}  // namespace
}  // namespace haloscope::running
