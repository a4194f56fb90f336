#include "gpu/Compiler.h"

#include <optional>

#include "GpuSupport.h"
#include "frontend/Frontend.h"

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
  EXPECT_NO_THROW(compiler_->compile(text, {"go"}, 90));
}

TEST_F(CompilerTest, AnErrorNamesFileAndLineOfTheText) {
  const KernelText text{"shift.cu", "// one\n__global__ void go(float* out) {\n  out[0] = missing;\n}\n", {{"N", "3"}}};
  try {
    (void)compiler_->compile(text, {"go"}, 90);
    FAIL();
  } catch (const CompileError& error) {
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
  const Catalogue catalogue = theCatalogue();
  for (const KernelFile& file : catalogue.kernels()) {
    frontend::CompileOptions options;
    options.defines = file.defines(file.defaults());
    options.kernel = file.kernel;
    const Program program = frontend::compile(file.path.string(), file.text, options).program;
    std::vector<std::string> names{program.kernel};
    for (const MemoryObject& object : program.objects) {
      if (object.space == MemorySpace::Constant) { names.push_back("&" + object.name); }
    }
    const CompiledText compiled = compiler_->compile({file.path.string(), file.text, options.defines}, names, 90);
    for (const std::string& name : names) { EXPECT_TRUE(compiled.symbols.contains(name)) << file.id << ": " << name; }
    EXPECT_EQ(compiled.log, "") << file.id;
  }
}

TEST(CompilerSearchTest, ADriverTooOldForAnyNvrtcIsTold) {
  try {
    const Compiler compiler(11080);
    FAIL();
  } catch (const Unavailable& missing) { EXPECT_NE(std::string(missing.what()).find("NVRTC"), std::string::npos); }
}

}  // namespace
}  // namespace haloscope::gpu
