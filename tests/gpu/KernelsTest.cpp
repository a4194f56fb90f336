#include <algorithm>
#include <cctype>

#include "GpuSupport.h"
#include "OthersTexts.h"
#include "driver/Run.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "frontend/Frontend.h"
#include "measuring/Agreement.h"
#include "measuring/GpuGate.h"
#include "measuring/Verify.h"
#include "opening/OpenedFile.h"
#include "simt/Executor.h"

/// Each kernel of the catalogue on the GPU: it computes what the reference and the emulator compute.
namespace haloscope::gpu {
namespace {

class KernelsTest : public OnGpu, public testing::WithParamInterface<std::string> {
 protected:
  void check(const KernelFile& file, const Bindings& bindings) {
    frontend::CompileOptions options;
    options.defines = file.defines(bindings);
    options.kernel = file.kernel;
    const Program program = frontend::compile(file.path.string(), file.text, options).program;
    const Launch initial = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
    Launch onGpu = initial;
    Launch onEmulator = onGpu;
    const simt::ExecuteResult result = simt::execute(program, onEmulator);
    ASSERT_EQ(result.outcome, simt::Outcome::Finished) << result.message;
    ASSERT_EQ(result.outOfBounds, 0U) << result.firstOutOfBoundsMessage;
    const KernelResources resources =
        run(TestClearance::make(), device_, {file.path.string(), file.text, options.defines}, program, onGpu);
    EXPECT_GT(resources.registersPerThread, 0);
    EXPECT_GE(resources.sharedBytes, program.sharedBytes()) << "static shared memory";
    if (file.computes) {
      const auto comparison = experiment::compareWithReference(file, bindings, program, initial.arrays, onGpu.arrays);
      EXPECT_TRUE(comparison.pass()) << comparison.wrong << " wrong, the worst by " << comparison.maxRelativeError;
    }
    const measuring::Agreement agreement = measuring::agreementOf(program, onEmulator, onGpu);
    EXPECT_TRUE(agreement.pass()) << agreement.difference << " apart";
  }
};

TEST_P(KernelsTest, ComputesWhatTheEmulatorComputes) {
  const Catalogue& catalogue = theCatalogue();
  const KernelFile& file = catalogue.at(GetParam());
  check(file, file.defaults());
  Bindings odd = file.defaults();  // sizes that no tile divides
  for (const SizeParameter& size : file.sizes) {
    odd[size.name] = std::clamp<std::int64_t>(37, size.minimum, size.maximum);
  }
  check(file, odd);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, KernelsTest, testing::ValuesIn(catalogueIds()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

class OthersKernelsTest : public OnGpu, public testing::WithParamInterface<std::string> {};

TEST_P(OthersKernelsTest, ComputeWhatTheEmulatorComputesIfTheyHaveNoFault) {
  const opening::OpenedFile opened = openedText(GetParam());
  ASSERT_FALSE(opened.kernels.empty());
  for (const opening::ProposedKernel& kernel : opened.kernels) {
    SCOPED_TRACE(kernel.file.id);
    measuring::GpuGate gate;
    const std::vector<measuring::Verification> all = measuring::verify(kernel.file, kernel.file.defaults(), gate);
    ASSERT_FALSE(all.empty());
    if (!all.front().message.empty()) { continue; }  // faulty: it does not get there
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[1].message, "");
    // A wrong kernel is wrong in both places. Without a reference the GPU's result is compared with the emulator's
    // alone.
    EXPECT_EQ(all[1].pass, !all[0].compared() || all[0].pass)
        << all[1].maxRelativeError << " from the " << all[1].comparedWith;
  }
}

INSTANTIATE_TEST_SUITE_P(Opened, OthersKernelsTest, testing::ValuesIn(namesOfOthersTexts()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace haloscope::gpu
