#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "BlockLogSupport.h"
#include "ExecutedSupport.h"
#include "SameRecording.h"
#include "analysis/Recorder.h"
#include "experiment/InputData.h"
#include "opening/OpenedFile.h"
#include "recording/LogReader.h"

// The programs in styles/ and the bug lab's corrected twins, recorded as on a GPU: the logs of their instrumented
// sources must equal the emulator's recording, bit for bit. A line "// stepping: KERNEL refused WORDS" names a kernel
// that cannot be instrumented, with the error message.

namespace haloscope {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> texts() {
  std::vector<fs::path> found;
  for (const auto& one : fs::directory_iterator(fs::path(HALOSCOPE_TEST_DIR) / "styles")) {
    if (one.path().extension() == ".cu") { found.push_back(one.path()); }
  }
  for (const auto& one : fs::recursive_directory_iterator(fs::path(HALOSCOPE_SOURCE_DIR) / "assets/buglab")) {
    if (one.path().filename() == "fixed.cu") { found.push_back(one.path()); }
  }
  std::ranges::sort(found);
  return found;
}

std::string nameOf(const fs::path& path) {
  const bool style = path.parent_path().filename() == "styles";
  std::string name = (style ? "" : path.parent_path().stem().string() + "_") + path.stem().string();
  std::ranges::replace_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

/// Error messages of rejected kernels, by kernel.
std::map<std::string, std::string> refusedOf(const fs::path& path) {
  std::map<std::string, std::string> all;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    constexpr std::string_view kOpening = "// stepping: ", kRefused = " refused ";
    const std::size_t at = line.find(kRefused);
    if (!line.starts_with(kOpening) || at == std::string::npos) { continue; }
    all[line.substr(kOpening.size(), at - kOpening.size())] = line.substr(at + kRefused.size());
  }
  return all;
}

void expectSameInstructions(const Program& program, const Program& expanded) {
  ASSERT_EQ(program.code.size(), expanded.code.size()) << "with its macros expanded it is another program";
  for (std::size_t i = 0; i < program.code.size(); ++i) { ASSERT_EQ(program.code[i].op, expanded.code[i].op) << i; }
}

void expectStepsOf(const KernelFile& file) {
  const Bindings bindings = file.defaults();
  const frontend::CompileOptions options{.defines = file.defines(bindings),
                                         .kernel = file.kernel,
                                         .prologue = file.prologue,
                                         .headers = file.headers,
                                         .instances = file.instances};
  const std::string path = file.path.string();
  const auto program = std::make_shared<const Program>(frontend::compile(path, file.text, options).program);
  const Launch launch = experiment::makeLaunch(file, bindings, *program, experiment::InputKind::Random);
  const Dim3 grid = launch.configuration.grid;
  std::vector<Dim3> blocks{{0, 0, 0}};
  if (grid.x * grid.y * grid.z > 1) { blocks.push_back({grid.x - 1, grid.y - 1, grid.z - 1}); }
  test::InstrumentedKernel instrumented(path, file.text, options, *program, launch);
  for (const Dim3& block : blocks) {
    SCOPED_TRACE("block " + text(block));
    const test::Logged logged = instrumented.run(block);
    expectSameInstructions(*program, logged.text.program);
    if (testing::Test::HasFatalFailure()) { return; }
    const recording::LoggedBlock described{program, &logged.text.program, &logged.text.sites, &launch,
                                           block,   &logged.log};
    const auto read = recording::readLog(described);
    if (!read->message.empty()) { throw std::runtime_error(read->message); }
    test::expectSame(*analysis::record(program, launch, block), *read, test::Origins::Known);
    if (testing::Test::HasFatalFailure()) { return; }
  }
}

class StyleLogTest : public testing::TestWithParam<fs::path> {};

TEST_P(StyleLogTest, InstrumentedSourceEqualsTheRecording) {
  const std::map<std::string, std::string> refused = refusedOf(GetParam());
  const opening::OpenedFile opened = test::openExecuted(fs::path(GetParam()));
  EXPECT_FALSE(opened.kernels.empty());
  for (const opening::ProposedKernel& kernel : opened.kernels) {
    SCOPED_TRACE(kernel.file.kernel);
    const auto words = refused.find(kernel.file.kernel);
    std::string said;
    try {
      expectStepsOf(kernel.file);
    } catch (const std::runtime_error& error) { said = error.what(); }
    if (words == refused.end()) {
      EXPECT_EQ(said, "");
    } else {
      EXPECT_NE(said.find(words->second), std::string::npos) << "refused with: " << said;
    }
    if (HasFatalFailure()) { return; }
  }
}

INSTANTIATE_TEST_SUITE_P(Opened, StyleLogTest, testing::ValuesIn(texts()),
                         [](const auto& one) { return nameOf(one.param); });

}  // namespace
}  // namespace haloscope
