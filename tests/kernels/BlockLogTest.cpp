#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>

#include "BlockLogSupport.h"
#include "RecordingSupport.h"
#include "recording/LogReader.h"

// The instrumented text of a kernel is CUDA C++ like any other: here the emulator runs it, and what it wrote is read as
// if a GPU had. It must then say what the emulator's own recorder says of the kernel as it is.

namespace haloscope {
namespace {

using recording::Recording;

std::string describe(const Recording& recording, std::size_t step) {
  const Program& program = *recording.program;
  const recording::Step& one = recording.steps[step];
  std::string line = "step " + std::to_string(step) + " line " +
                     std::to_string(one.statement == kNone ? 0 : program.statements[one.statement].range.line) +
                     " interval " + std::to_string(one.interval);
  for (std::uint32_t warp = 0; warp < recording.warpCount(); ++warp) {
    const recording::WarpState& state = recording.warpState(step, warp);
    char text[64];
    std::snprintf(text, sizeof text, " [%x w%x e%x]", state.active, state.waiting, state.exited);
    line += text;
  }
  for (const recording::AccessGroup& group : recording.accessesOf(step)) {
    line += "\n  " + std::string(group.store ? "store" : "load") + " " + std::to_string(group.instruction) + " warp " +
            std::to_string(group.warp) + " object " + std::to_string(group.object) + " lanes " +
            std::to_string(group.lanes);
    for (int i = 0; i < std::popcount(group.lanes); ++i) {
      line += " " + std::to_string(recording.elements[group.first + i]) + "=" +
              std::to_string(recording.values[group.first + i]);
    }
  }
  for (const recording::Change& change : recording.changesOf(step)) {
    line += "\n  change " + std::to_string(static_cast<int>(change.kind)) + " " + std::to_string(change.id) + "[" +
            std::to_string(change.index) + "] = " + std::to_string(change.after) + " origin " +
            std::to_string(static_cast<int>(change.originAfter.kind)) + " " +
            std::to_string(change.originAfter.element) + " copied " +
            std::to_string(static_cast<int>(change.copiedFrom)) + " " + std::to_string(change.copiedId);
  }
  return line;
}

/// The first line in which two descriptions differ.
std::string firstDifference(const std::string& emulator, const std::string& logged) {
  std::istringstream left(emulator), right(logged);
  std::string head, a, b;
  while (true) {
    const bool moreLeft = static_cast<bool>(std::getline(left, a)),
               moreRight = static_cast<bool>(std::getline(right, b));
    if (!moreLeft && !moreRight) { return ""; }
    if (head.empty()) { head = a; }
    if (!moreLeft || !moreRight || a != b) {
      return head + "\n emulator:" + (moreLeft ? a : "-") + "\n logged:  " + (moreRight ? b : "-");
    }
  }
}

void expectSame(const Recording& emulator, const Recording& logged) {
  EXPECT_EQ(logged.message, "");
  if (!logged.message.empty()) return;
  EXPECT_FALSE(logged.truncated);
  const std::size_t steps = std::min(emulator.steps.size(), logged.steps.size());
  for (std::size_t step = 0; step < steps; ++step) {
    ASSERT_EQ(firstDifference(describe(emulator, step), describe(logged, step)), "");
    ASSERT_EQ(emulator.activities[step], logged.activities[step]) << describe(logged, step);
  }
  EXPECT_EQ(emulator.steps.size(), logged.steps.size());
}

std::string read(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class VariantLogTest : public testing::TestWithParam<std::string> {};

TEST_P(VariantLogTest, SaysWhatTheRecorderSays) {
  const std::string& id = GetParam();
  const std::string path = std::string(HALOSCOPE_SOURCE_DIR) + "/kernels/" + id + ".cu";
  const std::string text = read(path);
  const KernelFile file = KernelFile::parse(id, path, text);
  for (const std::int64_t size : {11, 16}) {
    Bindings sizes;
    for (const auto& one : file.sizes) { sizes[one.name] = size; }
    const Bindings bindings = file.bind(sizes);
    const frontend::CompileOptions options{.defines = file.defines(bindings), .kernel = {}};
    const auto program = std::make_shared<const Program>(frontend::compile(path, text, options).program);
    const Launch launch = experiment::makeLaunch(file, bindings, *program, experiment::InputKind::Random);
    const Dim3 grid = launch.configuration.grid;
    for (const Dim3& block :
         {Dim3{0, 0, 0}, Dim3{grid.x / 2, grid.y / 2, grid.z / 2}, Dim3{grid.x - 1, grid.y - 1, grid.z - 1}}) {
      const test::Logged logged = test::runInstrumented(path, text, options, *program, launch, block);
      const recording::LoggedBlock described{program, &logged.text.program, &logged.text.sites, &launch,
                                             block,   &logged.log};
      expectSame(*analysis::record(program, launch, block), *recording::readLog(described));
      if (HasFatalFailure()) { return; }
    }
  }
}

std::vector<std::string> variants() {
  std::vector<std::string> ids;
  const std::filesystem::path root = std::string(HALOSCOPE_SOURCE_DIR) + "/kernels";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() == ".cu") {
      ids.push_back(std::filesystem::relative(entry.path(), root).replace_extension().string());
    }
  }
  std::ranges::sort(ids);
  return ids;
}

INSTANTIATE_TEST_SUITE_P(All, VariantLogTest, testing::ValuesIn(variants()), [](const auto& variant) {
  std::string name = variant.param;
  std::ranges::replace(name, '/', '_');
  return name;
});

}  // namespace
}  // namespace haloscope
