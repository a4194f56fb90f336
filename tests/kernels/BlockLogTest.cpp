#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

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

/// What the text uses of CUDA's library completes on its own, and blocks of a cluster need each other: that cannot be
/// recorded, and says so.
void expectRefused(const std::string& path, const std::string& text, const frontend::CompileOptions& options,
                   const Program& program, const Launch& launch) {
  try {
    static_cast<void>(test::runInstrumented(path, text, options, program, launch, {0, 0, 0}));
    FAIL() << "recorded";
  } catch (const UserError& refused) {
    EXPECT_NE(std::string(refused.what()).find("cannot be recorded on a GPU"), std::string::npos) << refused.what();
  }
}

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
    if (text.find("#include <cuda_pipeline.h>") != std::string::npos ||
        text.find("#include <cuda/barrier>") != std::string::npos ||
        text.find("#include <cuda/ptx>") != std::string::npos ||
        text.find("#include <cooperative_groups.h>") != std::string::npos) {
      return expectRefused(path, text, options, *program, launch);
    }
    const Dim3 grid = launch.configuration.grid;
    const std::uint64_t middle = linear({grid.x / 2, grid.y / 2, grid.z / 2}, grid);
    test::InstrumentedKernel instrumented(path, text, options, *program, launch);
    for (const std::uint64_t index : std::set{std::uint64_t{0}, middle, grid.count() - 1}) {
      const Dim3 block = unlinear(index, grid);
      const test::Logged logged = instrumented.run(block);
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

/// One block of 64 threads; `in` holds 1, 2, 3 …, each scalar is 8.
void expectLogOf(const std::string& text) {
  constexpr std::int64_t kElements = 128;
  test::SmallLaunch kernel(text, {1, 1, 1}, {64, 1, 1}, kElements, 8);
  std::vector<float> values(kElements);
  std::ranges::generate(values, [next = 0.0F]() mutable { return next += 1; });
  std::memcpy(kernel.launch.arrays[kernel.program.findObject("in")].bytes.data(), values.data(),
              values.size() * sizeof(float));
  const auto program = std::make_shared<const Program>(kernel.program);
  const Launch& launch = kernel.launch;
  const test::Logged logged = test::runInstrumented("small.cu", text, {}, *program, launch, {0, 0, 0});
  const recording::LoggedBlock described{program,   &logged.text.program, &logged.text.sites, &launch,
                                         {0, 0, 0}, &logged.log};
  test::expectSame(*analysis::record(program, launch, {0, 0, 0}), *recording::readLog(described));
}

TEST(OriginLogTest, IsKeptThroughEveryShuffle) {
  expectLogOf(R"(__global__ void k(const float* in, float* out, int width) {
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
)");
}

TEST(OriginLogTest, IsKeptByWhatAFunctionReturns) {
  expectLogOf(R"(__device__ float at(const float* in, int i, int n) { return i < n ? in[i] : 0.0f; }
__device__ float next(const float* in, int i) { return at(in, i + 1, 64); }
__device__ float early(const float* in, int i) {
  if (i % 2 == 1) { return in[i]; }
  return in[i + 1];
}
__device__ float4 four(const float4* in, int i, int n) {
  bool inside = i < n;
  return inside ? in[i] : make_float4(0, 0, 0, 0);
}
__global__ void k(const float* in, float* out, int n) {
  float a = at(in, threadIdx.x, 4 * n);
  float b = next(in, threadIdx.x);
  float c;
  c = early(in, threadIdx.x);
  float4 d = four(reinterpret_cast<const float4*>(in), threadIdx.x, n);
  d = four(reinterpret_cast<const float4*>(in), threadIdx.x / 2, n);
  out[threadIdx.x] = next(in, threadIdx.x);
  out[threadIdx.x + 64] = b;
  float e = in[threadIdx.x], f = e + a + c + d.x;
  out[threadIdx.x] = f;
}
)");
}

}  // namespace
}  // namespace haloscope
