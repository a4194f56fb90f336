#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "BlockLogSupport.h"
#include "FaultSupport.h"
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

TEST(ShuffleLogTest, ValuesKeepTheirOriginThroughEveryShuffle) {
  const std::string text = R"(__global__ void k(const float* in, float* out, int width) {
  int lane = threadIdx.x % 32;
  float own = in[threadIdx.x];
  float up = __shfl_up_sync(0xffffffffu, own, 1);
  own = __shfl_down_sync(0xffffffffu, own, 2, 16);
  float chosen = __shfl_sync(0xffffffffu, own, lane * 3 % 32);
  float other = __shfl_xor_sync(0xffffffffu, in[threadIdx.x + 64], lane % 8 < 4 ? 1 : 2);
  float far = own;
  for (int offset = 16; offset > 0; offset /= 2) { far = __shfl_xor_sync(0xffffffffu, far, offset); }
  float first = __shfl_sync(0xffffffffu, far, 0, width);
  if (lane < 20) { first = __shfl_up_sync(0xfffffu, chosen, 3); }
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, other, 1);
  if (lane > 3) { first = up; }
  out[threadIdx.x + 64] = first;
}
)";
  const Dim3 block{64, 1, 1};
  constexpr std::uint64_t kWidth = 8;
  test::SmallLaunch kernel(text, {1, 1, 1}, block, 128, kWidth);
  std::vector<float> values(128);
  std::ranges::generate(values, [next = 0.0F]() mutable { return next += 1; });
  std::memcpy(kernel.launch.arrays[kernel.program.findObject("in")].bytes.data(), values.data(), 128 * sizeof(float));
  const auto program = std::make_shared<const Program>(kernel.program);
  const Launch& launch = kernel.launch;
  const test::Logged logged = test::runInstrumented("small.cu", text, {}, *program, launch, {0, 0, 0});
  const recording::LoggedBlock described{program,   &logged.text.program, &logged.text.sites, &launch,
                                         {0, 0, 0}, &logged.log};
  test::expectSame(*analysis::record(program, launch, {0, 0, 0}), *recording::readLog(described));
}

}  // namespace
}  // namespace haloscope
