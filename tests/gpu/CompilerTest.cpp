#include "driver/Compiler.h"

#include <algorithm>
#include <optional>

#include "GpuSupport.h"
#include "OthersTexts.h"
#include "experiment/Experiment.h"
#include "frontend/Frontend.h"
#include "measuring/GpuText.h"
#include "opening/OpenedFile.h"

/// NVRTC, which needs no GPU.
namespace haloscope::gpu {
namespace {

class CompilerTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      compiler_.emplace(13000);
    } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  }

  std::optional<Compiler> compiler_;
};

TEST_F(CompilerTest, NamesOfFunctionsAndConstantsAreFound) {
  const KernelText text{"a.cu",
                        "namespace deep { __constant__ float weights[3];\n"
                        "__global__ void go(float* out) { out[0] = weights[1]; } }\n",
                        {}};
  const CompiledText compiled = compiler_->compile(text, {"deep::go", "&deep::weights"}, 90);
  EXPECT_EQ(compiled.symbols.at("deep::go"), "_ZN4deep2goEPf");
  EXPECT_EQ(compiled.symbols.at("&deep::weights"), "_ZN4deep7weightsE");
  EXPECT_GT(compiled.image.size(), 100U);
}

TEST_F(CompilerTest, AMacroCalledTDoesNotReachTheCompilersOwnHeaders) {
  const KernelText text{"a.cu", "__global__ void go(float* out) { out[0] = T; }", {{"T", "8"}}};
  EXPECT_NO_THROW((void)compiler_->compile(text, {"go"}, 90));
}

TEST_F(CompilerTest, AnErrorNamesFileAndLineOfTheText) {
  const KernelText text{"shift.cu", "// one\n__global__ void go(float* out) {\n  out[0] = missing;\n}\n", {{"N", "3"}}};
  try {
    (void)compiler_->compile(text, {"go"}, 90);
    FAIL();
  } catch (const NvrtcError& error) {
    EXPECT_EQ(error.file(), "shift.cu");
    EXPECT_EQ(error.where().line, 3);
    EXPECT_NE(error.message().find("missing"), std::string::npos) << error.what();
    EXPECT_NE(error.log().find("shift.cu(3)"), std::string::npos) << error.log();
  }
}

TEST_F(CompilerTest, AGpuNewerThanTheCompilerGetsPtx) {
  const KernelText text{"a.cu", "__global__ void go(float* out) { out[0] = 1; }", {}};
  const CompiledText compiled = compiler_->compile(text, {"go"}, 990);
  EXPECT_NE(std::string(compiled.image.data()).find(".target"), std::string::npos);
  EXPECT_THROW((void)compiler_->compile(text, {"go"}, 20), Unavailable);
}

TEST_F(CompilerTest, EveryKernelOfTheCatalogueCompiles) {
  const Catalogue& catalogue = theCatalogue();
  for (const KernelFile& file : catalogue.kernels()) {
    frontend::CompileOptions options;
    options.defines = file.defines(file.defaults());
    options.kernel = file.kernel;
    const Program program = frontend::compile(file.path.string(), file.text, options).program;
    std::vector<std::string> names{program.kernel};
    for (const MemoryObject& object : program.objects) {
      if (object.space == MemorySpace::Constant && object.argument == kNone) { names.push_back("&" + object.name); }
    }
    const CompiledText compiled = compiler_->compile({file.path.string(), file.text, options.defines}, names, 90);
    for (const std::string& name : names) { EXPECT_TRUE(compiled.symbols.contains(name)) << file.id << ": " << name; }
    EXPECT_EQ(compiled.log, "") << file.id;
  }
}

class OthersTextTest : public CompilerTest, public testing::WithParamInterface<std::string> {
 protected:
  void compile(const KernelFile& file, int capability) {
    const Bindings bindings = file.defaults();
    const KernelText text = measuring::gpuText(file, bindings);
    const Program program = experiment::compile(file, bindings);
    std::vector<std::string> names{text.kernel};
    for (const auto& [name, expression] : text.variables) { names.push_back("&" + expression); }
    SCOPED_TRACE(file.id + " for " + std::to_string(capability));
    try {
      const CompiledText compiled = compiler_->compile(text, names, capability);
      for (const std::string& name : names) { EXPECT_TRUE(compiled.symbols.contains(name)) << name; }
      EXPECT_GT(compiled.image.size(), 100U);
    } catch (const NvrtcError& error) { ADD_FAILURE() << error.log() << "\n" << text.text; }
  }
};

TEST_P(OthersTextTest, CompilesAsItIsOpened) {
  const opening::OpenedFile file = openedText(GetParam());
  ASSERT_FALSE(file.kernels.empty());
  for (const opening::ProposedKernel& kernel : file.kernels) {
    compile(kernel.file, 75);
    compile(kernel.file, 90);
  }
}

INSTANTIATE_TEST_SUITE_P(Nvrtc, OthersTextTest, testing::ValuesIn(namesOfOthersTexts()),
                         [](const auto& one) { return one.param; });

TEST_F(CompilerTest, HostCodeHeadersSuppliedNamesAndInstancesDoNoHarm) {
  const std::string program = R"(#include <iostream>
#include <map>
#include "weights.h"
#include "missing/timer.h"
#define TILE 16
using namespace std;
using Clock = std::chrono::steady_clock;
std::map<int, float> results;
static float *d_in, *d_out;
const int kWidth = 3;
struct Grid {
  int nx, ny;
  Grid(int a, int b) : nx{a}, ny(b) { std::cout << a; }
  __host__ __device__ int count() const { return nx * ny; }
  std::vector<float> host() const { return std::vector<float>(nx * ny); }
};
__host__ void fill(std::vector<float>& a) { for (auto& x : a) x = rand(); }
namespace heat {
namespace {
template <typename T, int R>
__global__ void sweep(const T* in, T* out, Grid grid) {
  __shared__ T tile[TILE];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < grid.count() ? in[i] : 0;
  __syncthreads();
  if (i < grid.count()) out[i] = tile[threadIdx.x] * weights[R] * scale * kWidth;
}
}
template <int R> void go(Grid g) { sweep<float, R><<<g.count() / TILE, TILE>>>(d_in, d_out, g); }
template void go<2>(Grid);
}
extern "C" int run(int argc, char** argv) { return 0; }
int main() {
#define RADIUS 1
  heat::go<RADIUS>(Grid(64, 48));
  heat::sweep<float, 2><<<192, 16>>>(d_in, d_out, Grid(64, 48));
}
)";
  KernelFile file;
  file.path = "program.cu";
  file.text = program;
  file.kernel = "sweep";
  file.prologue = "__constant__ float scale;\n";
  file.headers = {{"weights.h", "#pragma once\n#include <vector>\n__constant__ float weights[4];\n"}};
  file.macros = {{"TILE", "32"}};
  file.instances = {"heat::sweep<float, 2>"};
  const KernelText text = measuring::gpuText(file, {});
  EXPECT_EQ(text.kernel, "heat::sweep<float, 2>");
  EXPECT_EQ(text.variables.at("weights"), "weights");
  EXPECT_EQ(std::count(text.text.begin(), text.text.end(), '\n'), std::count(program.begin(), program.end(), '\n'));
  try {
    const CompiledText compiled = compiler_->compile(text, {text.kernel, "&weights", "&scale"}, 90);
    EXPECT_TRUE(compiled.symbols.contains(text.kernel));
  } catch (const NvrtcError& error) { FAIL() << error.log() << text.text; }
}

TEST(CompilerSearchTest, ADriverTooOldForAnyNvrtcIsReported) {
  try {
    const Compiler compiler(11080);
    FAIL();
  } catch (const Unavailable& missing) { EXPECT_NE(std::string(missing.what()).find("NVRTC"), std::string::npos); }
}

}  // namespace
}  // namespace haloscope::gpu
