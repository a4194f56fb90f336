#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "GpuSupport.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "frontend/Frontend.h"
#include "gpu/Run.h"
#include "simt/Executor.h"

/// Each kernel of the catalogue on the GPU: it computes what the reference and the emulator compute.
namespace haloscope::gpu {
namespace {

/// The largest difference between two arrays of floating-point numbers, relative to their largest value; NaN in one of
/// them only counts as infinite.
double difference(const ArrayData& a, const ArrayData& b) {
  double largest = 0;
  double apart = 0;
  for (std::int64_t i = 0; i < a.elementCount(); ++i) {
    const double x = experiment::valueAt(a, i);
    const double y = experiment::valueAt(b, i);
    if (std::isnan(x) && std::isnan(y)) { continue; }
    if (std::isnan(x) != std::isnan(y)) { return std::numeric_limits<double>::infinity(); }
    largest = std::max(largest, std::abs(x));
    apart = std::max(apart, std::abs(x - y));
  }
  return largest > 0 ? apart / largest : apart;
}

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
    const KernelResources resources = run(device_, {file.path.string(), file.text, options.defines}, program, onGpu);
    EXPECT_GT(resources.registersPerThread, 0);
    EXPECT_GE(resources.sharedBytes, program.sharedBytes()) << "static shared memory";
    if (file.computes) {
      const auto comparison = experiment::compareWithReference(file, bindings, program, initial.arrays, onGpu.arrays);
      EXPECT_TRUE(comparison.pass()) << comparison.wrong << " wrong, the worst by " << comparison.maxRelativeError;
    }
    for (ObjectId id = 0; id < program.objects.size(); ++id) {
      if (program.objects[id].space != MemorySpace::Global) { continue; }
      // The GPU contracts a*b + c to one rounding, the emulator does not.
      EXPECT_LT(difference(onGpu.arrays[id], onEmulator.arrays[id]), 1e-5) << program.objects[id].name;
    }
  }
};

TEST_P(KernelsTest, ComputesWhatTheEmulatorComputes) {
  const Catalogue catalogue = theCatalogue();
  const KernelFile& file = catalogue.at(GetParam());
  check(file, file.defaults());
  Bindings odd = file.defaults();  // sizes that no tile divides
  for (const SizeParameter& size : file.sizes) {
    odd[size.name] = std::clamp<std::int64_t>(37, size.minimum, size.maximum);
  }
  check(file, odd);
}

std::vector<std::string> ids() {
  const Catalogue catalogue = theCatalogue();
  std::vector<std::string> all;
  for (const KernelFile& file : catalogue.kernels()) { all.push_back(file.id); }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, KernelsTest, testing::ValuesIn(ids()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace haloscope::gpu
