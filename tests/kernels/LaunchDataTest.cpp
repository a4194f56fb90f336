#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "live/LaunchDataRunner.h"
#include "measuring/GpuGate.h"
#include "opening/OpenedFile.h"
#include "running/FirstLaunches.h"

/// A kernel with the data that its program gives a launch, in place of made-up ones.
namespace haloscope::test {
namespace {

constexpr const char* kText = R"(
__constant__ float weights[2] = {1, 2};
__global__ void gather(const float* in, const int* from, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = weights[0] * in[from[i]] + weights[1];
}
int main() { float *in, *out; int* from; gather<<<2, 32>>>(in, from, out, 64); }
)";

template <typename T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class LaunchDataTest : public ::testing::Test {
 protected:
  LaunchDataTest() {
    opening::LaunchOverrides overrides;
    overrides.executed = {{.symbol = "_Z6gatherPKfPKiPfi",
                           .instance = "gather",
                           .configuration = {.grid = {2, 1, 1}, .block = {32, 1, 1}},
                           .scalars = {{"n", 64}},
                           .elements = {{"in", 64}, {"from", 64}, {"out", 64}}}};
    proposed_ = opening::openText("/work/gather.cu", kText, overrides).kernels.at(0);
    file_ = proposed_.file;
    data_.launch = "launch 2 of 3";
    data_.arrays["in"] = bytesOf(std::vector<float>(64, 0.5F));
    data_.arrays["from"] = bytesOf(std::vector<int>(64, 7));
    data_.arrays["out"] = bytesOf(std::vector<float>(64, 3.0F));
    data_.arrays["weights"] = bytesOf(std::vector<float>{4, 5});
  }

  [[nodiscard]] KernelFile withData() const {
    KernelFile file = file_;
    file.data = std::make_shared<const LaunchData>(data_);
    return file;
  }
  static std::shared_ptr<const experiment::Experiment> executed(const KernelFile& file) {
    experiment::Choice choice;
    choice.kernel = file.id;
    return experiment::run(file, choice);
  }

  opening::ProposedKernel proposed_;
  KernelFile file_;
  LaunchData data_;
};

TEST_F(LaunchDataTest, AProposalThatFollowsAnExecutedLaunchSaysSo) {
  ASSERT_TRUE(proposed_.executed);
  EXPECT_EQ(proposed_.executed->configuration.grid, (Dim3{2, 1, 1}));
  EXPECT_FALSE(opening::openText("/work/gather.cu", kText).kernels.at(0).executed) << "from its text alone";
}

TEST_F(LaunchDataTest, TakesThePlaceOfMadeUpValues) {
  const KernelFile file = withData();
  const auto experiment = executed(file);
  EXPECT_TRUE(experiment->launchData);
  EXPECT_FALSE(experiment->fault) << experiment->fault->message;
  const ArrayData& out = experiment->launch->arrays.at(experiment->program->findObject("out"));
  EXPECT_EQ(experiment::valueAt(out, 0), 4 * 0.5 + 5) << "constants are the program's, too";
  EXPECT_FALSE(executed(file_)->launchData);
}

TEST_F(LaunchDataTest, IsNotUsedForArraysOfAnotherSize) {
  data_.arrays["in"].resize(128);
  EXPECT_FALSE(executed(withData())->launchData);
}

TEST_F(LaunchDataTest, AnArrayThatNothingWroteIsUninitialised) {
  std::vector<bool> words(64, false);
  words[7] = true;
  data_.undefined["in"] = std::make_shared<const std::vector<bool>>(words);
  const checking::CheckReport report = checking::check(withData(), {});
  EXPECT_TRUE(std::ranges::any_of(
      report.findings, [](const faults::Finding& one) { return one.kind == faults::FindingKind::Uninitialized; }));
  data_.undefined.clear();
  EXPECT_TRUE(checking::check(withData(), {}).findings.empty());
}

TEST_F(LaunchDataTest, TheGpuIsGivenNoDataThatLeadOutside) {
  measuring::GpuGate gate;
  EXPECT_TRUE(gate.ask(withData(), {}).clearance) << gate.ask(withData(), {}).objection;
  data_.arrays["from"] = bytesOf(std::vector<int>(64, 64));
  const measuring::GpuVerdict verdict = gate.ask(withData(), {});
  EXPECT_FALSE(verdict.clearance) << "the text is the same, and the answer to it is remembered";
}

/// A launch as a run keeps it.
running::KeptLaunch kept() {
  running::KeptLaunch launch;
  auto program = std::make_shared<Program>();
  for (const char* name : {"in", "out"}) {
    MemoryObject object;
    object.name = name;
    object.space = MemorySpace::Global;
    object.element = ValueType::F32;
    program->objects.push_back(object);
    const auto id = static_cast<ObjectId>(program->objects.size() - 1);
    launch.launch.arrays.push_back({ValueType::F32, {4}, std::vector<std::byte>(16, std::byte{1})});
    launch.pointers.push_back({.parameter = name, .object = id, .place = running::DevicePlace{id, 0}});
    launch.arrays.push_back(id);
  }
  launch.program = std::move(program);
  return launch;
}

running::FetchedLaunchData fetched(running::KeptLaunch launch) {
  running::ProgramRun run;
  run.kept = std::make_shared<const running::KeptLaunch>(std::move(launch));
  return launchDataOf(run, "launch 1 of 2");
}

TEST(LaunchDataOfTest, HasTheArraysByTheirNames) {
  running::KeptLaunch launch = kept();
  running::DeviceMemory memory(1 << 10);
  const auto fresh = memory.find(memory.allocate(16, {}).value());
  launch.launch.arrays[1].bytes = memory.bytesOf(fresh->allocation);
  const running::FetchedLaunchData result = fetched(launch);
  ASSERT_NE(result.data, nullptr) << result.missing;
  EXPECT_EQ(result.data->launch, "launch 1 of 2");
  EXPECT_EQ(result.data->arrays.at("in"), std::vector<std::byte>(16, std::byte{1}));
  ASSERT_TRUE(result.data->undefined.contains("out")) << "nothing was written to it";
  EXPECT_EQ(*result.data->undefined.at("out"), std::vector<bool>(4, true));
  EXPECT_FALSE(result.data->undefined.contains("in"));
}

TEST(LaunchDataOfTest, SaysWhatItCannotShow) {
  running::KeptLaunch shared = kept();
  shared.pointers[1].place = shared.pointers[0].place;
  EXPECT_EQ(fetched(shared).data, nullptr);
  EXPECT_NE(fetched(shared).missing.find("one array"), std::string::npos);
  running::KeptLaunch inside = kept();
  inside.pointers[1].place->offset = 4;
  EXPECT_NE(fetched(inside).missing.find("out does not point to the beginning"), std::string::npos);
  EXPECT_NE(launchDataOf(running::ProgramRun(), "launch 1 of 2").missing.find("did not come to this launch"),
            std::string::npos);
}

/// A launch of a program, and what it is given.
struct MadeLaunch {
  running::ProgramLaunch launch;
  running::BoundLaunch bound;
};

MadeLaunch made(const char* symbol, std::byte content, std::size_t bytes = 16) {
  const running::KeptLaunch from = kept();
  MadeLaunch one;
  one.launch.symbol = symbol;
  one.launch.executed = true;
  one.bound = {
      .program = from.program, .launch = from.launch, .pointers = from.pointers, .allocations = {}, .tables = {}};
  for (const ObjectId array : from.arrays) {
    one.bound.launch.arrays[array].bytes.assign(bytes, content);
    one.bound.allocations.emplace_back(array, array);
  }
  return one;
}

TEST(FirstLaunchesTest, KeepWhatEachKernelBeginsWith) {
  running::FirstLaunches first;
  running::ProgramRun run;
  for (const auto& [symbol, content] : {std::pair{"a", 1}, {"a", 2}, {"b", 3}, {"a", 4}}) {
    const MadeLaunch one = made(symbol, static_cast<std::byte>(content));
    first.begin(one.launch, one.bound);
    run.launches.push_back(one.launch);
  }
  const auto all = std::move(first).of(run);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at(0)->arrays.at("in").front(), std::byte{1});
  EXPECT_EQ(all.at(2)->arrays.at("in").front(), std::byte{3});
  EXPECT_EQ(all.at(2)->launch, "launch 3 of 4");
}

TEST(FirstLaunchesTest, KeepNothingOfALaunchThatFailedOrIsLargeOrOfOtherSizes) {
  running::FirstLaunches first;
  running::ProgramRun run;
  MadeLaunch failed = made("a", std::byte{1});
  failed.launch.executed = false;
  const MadeLaunch large = made("b", std::byte{1}, std::size_t{40} << 20);
  for (const MadeLaunch* one : {&std::as_const(failed), &large}) {
    first.begin(one->launch, one->bound);
    run.launches.push_back(one->launch);
  }
  EXPECT_TRUE(running::FirstLaunches(first).of(run).empty());
  run.launches.front().executed = true;
  EXPECT_EQ(running::FirstLaunches(first).of(run).size(), 1U);
  run.sizes.emplace_back();
  EXPECT_TRUE(std::move(first).of(run).empty());
}

}  // namespace
}  // namespace haloscope::test
