#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "BlockLogSupport.h"
#include "RecordingSupport.h"
#include "SameRecording.h"
#include "recording/LogReader.h"

// The instrumented source of a kernel is plain CUDA C++: here the emulator runs it, and its log is read as if a GPU had
// written it. The result must equal the emulator's recording of the original kernel.

namespace haloscope {
namespace {

std::string read(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class VariantLogTest : public testing::TestWithParam<std::string> {};

TEST_P(VariantLogTest, EqualsTheRecording) {
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
      test::expectSame(*analysis::record(program, launch, block), *recording::readLog(described));
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
