#include "hardware/Counters.h"

#include <algorithm>
#include <cctype>

#include "GpuSupport.h"
#include "checking/GpuGate.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "measuring/HardwareMeasurement.h"

/// Compares what the hardware and the emulator count for each kernel of the catalogue.
namespace haloscope::gpu {
namespace {

constexpr double kAgreement = 0.01;

class CountersTest : public OnGpu, public testing::WithParamInterface<std::string> {
 protected:
  /// A size at which arrays are some megabytes: more than what else goes on in DRAM, and soon emulated.
  static Bindings sizesOf(const KernelFile& file) {
    Bindings bindings = file.defaults();
    const std::int64_t wanted = file.arrays.front().shape.size() >= 3 ? 128 : 1024;
    for (const SizeParameter& size : file.sizes) {
      bindings[size.name] = std::clamp<std::int64_t>(wanted, size.minimum, size.maximum);
    }
    return bindings;
  }

  checking::GpuGate gate_;
};

TEST_P(CountersTest, HardwareCountsWhatTheEmulatorCounts) {
  const Catalogue& catalogue = theCatalogue();
  const KernelFile& file = catalogue.at(GetParam());
  const Bindings bindings = sizesOf(file);
  measuring::HardwareReading reading;
  try {
    reading = measuring::measureHardware(device_, gate_, {file, bindings, false});
  } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  for (const measuring::CounterAgreement& one : measuring::agreements(reading)) {
    ASSERT_TRUE(one.difference()) << one.what << ": " << one.emulator << ", but the hardware counts none";
    EXPECT_LE(std::abs(*one.difference()), kAgreement)
        << one.what << ": " << one.emulator << " by the emulator, " << one.hardware << " by the hardware";
  }
  const Program program = experiment::compile(file, file.bind(bindings));
  const Launch launch = experiment::makeLaunch(file, file.bind(bindings), program, experiment::InputKind::Shape);
  double bytes = static_cast<double>(sizeInMemory(launch.arrays.front().element));
  for (const Expression& extent : file.arrays.front().shape) {
    bytes *= static_cast<double>(extent.evaluate(bindings));
  }
  // Each point once at least; a cache this large reads little of them twice. What the driver moves besides is more than
  // a small array.
  constexpr double kDrivers = 128 << 10;
  EXPECT_GE(reading.counters.dramReadBytes, 0.98 * bytes);
  EXPECT_LE(reading.counters.dramReadBytes, 1.2 * bytes + kDrivers);
  EXPECT_GE(reading.counters.dramWrittenBytes, 0.9 * bytes);
  EXPECT_LE(reading.counters.dramWrittenBytes, 1.2 * bytes + kDrivers);
  EXPECT_GT(reading.counters.occupancy, 0);
  EXPECT_LE(reading.counters.occupancy, reading.theoreticalOccupancy * 1.02);
  EXPECT_NE(measuring::cacheSentence(reading), "");
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CountersTest, testing::ValuesIn(catalogueIds()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace haloscope::gpu
