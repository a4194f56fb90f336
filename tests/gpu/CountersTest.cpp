#include "hardware/Counters.h"

#include <algorithm>
#include <cctype>

#include "GpuSupport.h"
#include "experiment/EffectiveBytes.h"
#include "experiment/Experiment.h"
#include "measuring/GpuGate.h"
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

  measuring::GpuGate gate_;
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
  // What is needed moves once at least; a cache this large has little moved twice. What the driver moves besides is
  // more than a small array.
  const Bindings bound = file.bind(bindings);
  const Program program = experiment::compile(file, bound);
  const double bytes = experiment::effectiveBytes(file, bound, program) / static_cast<double>(file.steps(bound));
  constexpr double kDrivers = 256 << 10;
  const double moved = reading.counters.dramReadBytes + reading.counters.dramWrittenBytes;
  EXPECT_GE(moved, 0.95 * bytes);
  // Of a kernel of which it is not known what it computes, an array may be both read and written.
  EXPECT_LE(moved, (file.computes ? 1.2 : 2) * bytes + kDrivers);
  EXPECT_GT(reading.counters.occupancy, 0);
  EXPECT_LE(reading.counters.occupancy, reading.theoreticalOccupancy * 1.02);
  if (reading.flops > 0) { EXPECT_NE(measuring::cacheSentence(reading), ""); }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CountersTest, testing::ValuesIn(catalogueIds()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace haloscope::gpu
