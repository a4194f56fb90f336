#include <algorithm>
#include <cctype>
#include <optional>

#include "GpuSupport.h"
#include "OthersTexts.h"
#include "driver/Compiler.h"
#include "frontend/Frontend.h"
#include "measuring/GpuGate.h"
#include "measuring/Verify.h"
#include "opening/OpenedFile.h"

/// Blocks as the GPU itself ran them.
namespace haloscope::gpu {
namespace {

std::string testName(std::string id) {
  std::replace_if(id.begin(), id.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return id;
}

/// What NVRTC is given for recording. It needs no GPU.
class InstrumentedTextTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    try {
      compiler_.emplace(13000);
    } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  }

  /// Empty, or why the front end cannot rewrite it.
  std::string compile(const KernelFile& file) {
    const frontend::CompileOptions options{.defines = file.defines(file.defaults()),
                                           .kernel = file.kernel,
                                           .prologue = file.prologue,
                                           .headers = file.headers,
                                           .instances = file.instances};
    frontend::InstrumentedText instrumented;
    try {
      instrumented = frontend::instrument(file.path.string(), file.text, options);
    } catch (const frontend::CompileError& refused) { return refused.what(); }
    const KernelText text{.file = file.path.string(),
                          .text = instrumented.device.text,
                          .defines = options.defines,
                          .prologue = instrumented.device.prologue,
                          .headers = instrumented.device.headers,
                          .kernel = instrumented.device.kernel,
                          .variables = instrumented.device.variables};
    const CompiledText compiled = compiler_->compile(text, {text.kernel, "&haloscope_log::words"}, 90);
    EXPECT_GT(compiled.image.size(), 100U);
    return {};
  }

  std::optional<Compiler> compiler_;
};

class InstrumentedVariantTest : public InstrumentedTextTest {};

TEST_P(InstrumentedVariantTest, IsACudaText) {
  const KernelFile& file = theCatalogue().at(GetParam());
  const std::string refused = compile(file);
  if (file.text.find("CUtensorMap") != std::string::npos) {
    EXPECT_NE(refused.find("a tensor copy cannot be recorded on a GPU"), std::string::npos) << refused;
  } else {
    EXPECT_EQ(refused, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, InstrumentedVariantTest, testing::ValuesIn(catalogueIds()),
                         [](const auto& one) { return testName(one.param); });

class InstrumentedOthersTest : public InstrumentedTextTest {};

TEST_P(InstrumentedOthersTest, IsACudaTextOrRefusedByName) {
  const opening::OpenedFile opened = openedText(GetParam());
  for (const opening::ProposedKernel& kernel : opened.kernels) {
    SCOPED_TRACE(kernel.file.id);
    const std::string refused = compile(kernel.file);
    if (!refused.empty()) {
      EXPECT_NE(refused.find("cannot be recorded on a GPU"), std::string::npos) << refused;
      RecordProperty("refused", refused);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Opened, InstrumentedOthersTest, testing::ValuesIn(namesOfOthersTexts()),
                         [](const auto& one) { return one.param; });

// --- on the GPU

/// A block that lies in the border alone loads and stores nothing; one of them is enough.
void expectAgreement(const std::vector<measuring::RecordingVerification>& results) {
  std::uint64_t accesses = 0;
  for (const measuring::RecordingVerification& result : results) {
    SCOPED_TRACE("block " + text(result.block));
    EXPECT_EQ(result.message, "");
    EXPECT_TRUE(result.exact.same()) << (result.exact.first ? result.exact.first->sentence : "");
    EXPECT_EQ(result.contracted.missing, 0U) << (result.contracted.first ? result.contracted.first->sentence : "");
    EXPECT_GT(result.exact.assignments, 0U);
    accesses += result.exact.accesses;
  }
  EXPECT_GT(accesses, 0U);
}

class RecordedVariantTest : public OnGpu, public testing::WithParamInterface<std::string> {
 protected:
  measuring::GpuGate gate_;
};

TEST_P(RecordedVariantTest, AgreesWithTheEmulatorsRecording) {
  const Catalogue& catalogue = theCatalogue();
  const KernelFile& file = catalogue.at(GetParam());
  if (file.text.find("CUtensorMap") != std::string::npos) { GTEST_SKIP() << "refused by name, see IsACudaText"; }
  expectAgreement(measuring::verifyRecording(device_, file, file.defaults(), gate_));
  Bindings odd = file.defaults();
  for (const SizeParameter& size : file.sizes) {
    odd[size.name] = std::clamp<std::int64_t>(37, size.minimum, size.maximum);
  }
  expectAgreement(measuring::verifyRecording(device_, file, odd, gate_));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RecordedVariantTest, testing::ValuesIn(catalogueIds()),
                         [](const auto& one) { return testName(one.param); });

}  // namespace
}  // namespace haloscope::gpu
