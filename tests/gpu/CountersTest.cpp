#include "gpu/Counters.h"

#include <algorithm>
#include <cctype>

#include "GpuSupport.h"
#include "experiment/ExperimentRunner.h"
#include "experiment/GpuText.h"

/// What the hardware counts of each kernel of the catalogue, beside what the emulator counts.
namespace haloscope::gpu {
namespace {

class CountersTest : public OnGpu, public testing::WithParamInterface<std::string> {};

TEST_P(CountersTest, HardwareCountsWhatTheEmulatorCounts) {
  const Catalogue catalogue = theCatalogue();
  const KernelFile& file = catalogue.at(GetParam());
  Bindings bindings = file.defaults();
  for (const SizeParameter& size : file.sizes) {
    bindings[size.name] = std::clamp<std::int64_t>(96, size.minimum, size.maximum);
  }
  experiment::RunOptions options;
  options.record = false;
  const auto executed = experiment::run(file, {file.id, bindings, std::nullopt}, options);
  Counters counted;
  try {
    counted = measureCounters(device_, experiment::gpuText(file, bindings), *executed->program, *executed->launch);
  } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  const analysis::RequestTotals& requests = executed->requests.all;
  const double sectors = counted.l1LoadSectors + counted.l1StoreSectors;
  EXPECT_NEAR(sectors / static_cast<double>(requests.sectors), 1, 0.01);
  printf("%s passes %d: dram %.0f %.0f l2 %.0f %.0f l1 %.0f %.0f (%lu) shared %.0f %.0f (%lu %lu) occ %.3f\n",
         file.id.c_str(), counted.passes, counted.dramReadBytes, counted.dramWrittenBytes, counted.l2ReadSectors,
         counted.l2WriteSectors, counted.l1LoadSectors, counted.l1StoreSectors, requests.sectors, counted.sharedPasses,
         counted.sharedRequests, requests.sharedPasses, requests.sharedRequests, counted.occupancy);
}

std::vector<std::string> ids() {
  const Catalogue catalogue = theCatalogue();
  std::vector<std::string> all;
  for (const KernelFile& file : catalogue.kernels()) { all.push_back(file.id); }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CountersTest, testing::ValuesIn(ids()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace haloscope::gpu
