#include "measuring/HardwareReading.h"

#include <gtest/gtest.h>

#include "KernelCatalogue.h"
#include "experiment/Experiment.h"
#include "measuring/HardwareMeasurement.h"
#include "program/ResourceFolder.h"

/// Comparison of one launch counted by both the hardware and the emulator.
namespace haloscope::experiment {
namespace {

/// The basic 7-point sweep at 512³, about as an H200 counts it.
measuring::HardwareReading basicSweep() {
  measuring::HardwareReading reading;
  reading.id = "stencil/basic";
  reading.text = "text";
  reading.bookOpPerByte = 13.0 / 28;
  reading.flops = 1724463000;
  reading.loadBytes = 3714228000;
  reading.storeBytes = 530604000;
  reading.loadSectors = 140000000;
  reading.storeSectors = 16581375;
  reading.counters.dramReadBytes = 553e6;
  reading.counters.dramWrittenBytes = 537e6;
  reading.counters.l1LoadSectors = 140000000;
  reading.counters.l1StoreSectors = 16500000;
  reading.milliseconds = 0.5;
  reading.copyGBs = 4000;
  return reading;
}

TEST(HardwareReadingTest, OpPerByteIsCountedFourWays) {
  const measuring::HardwareReading reading = basicSweep();
  EXPECT_NEAR(reading.executedOpPerByte(), 0.4643, 1e-4);
  EXPECT_NEAR(reading.dramOpPerByte(), 1724463000.0 / 1090e6, 1e-9);
  EXPECT_NEAR(reading.impliedOpPerByte(), 1724463000.0 / 2e9, 1e-9) << "a copy moves 2 GB in half a millisecond";
  EXPECT_NEAR(reading.gflops(), 3448.926, 1e-3);
  EXPECT_EQ(measuring::HardwareReading{}.executedOpPerByte(), 0);
  EXPECT_EQ(measuring::HardwareReading{}.dramOpPerByte(), 0);
  EXPECT_EQ(measuring::HardwareReading{}.impliedOpPerByte(), 0);
}

TEST(HardwareReadingTest, TheSentenceSaysWhatCachesServe) {
  EXPECT_EQ(measuring::cacheSentence(basicSweep()),
            "Caches serve repeated loads: DRAM moved 1.09 GB for 4.24 GB requested by the kernel, so its "
            "OP/B from DRAM is 1.58, 3.4 times the book's 0.46.");
  EXPECT_EQ(measuring::cacheLine(basicSweep()), "DRAM moved 1.09 GB of 4.24 GB requested: caches served the rest");
}

TEST(HardwareReadingTest, TheSentenceSaysThatNothingWasServed) {
  measuring::HardwareReading reading = basicSweep();
  reading.loadBytes = 560000000;
  reading.bookOpPerByte.reset();
  EXPECT_EQ(measuring::cacheSentence(reading),
            "DRAM moved about what the kernel requested, 1.09 GB of 1.09 GB: its OP/B from DRAM is 1.58, 51 % of the "
            "executed 3.08, which counts loads only.");
}

TEST(HardwareReadingTest, TheSentenceSaysWhyMoreWasMoved) {
  measuring::HardwareReading reading = basicSweep();
  reading.loadBytes = 100000000;
  reading.storeBytes = 100000000;
  const std::string sectors = measuring::cacheSentence(reading);
  EXPECT_NE(sectors.find("DRAM moved 1.09 GB for 200 MB requested by the kernel, because memory is transferred in "
                         "whole 32-byte sectors"),
            std::string::npos)
      << sectors;
  reading.loadSectors = reading.storeSectors = 3125000;
  const std::string again = measuring::cacheSentence(reading);
  EXPECT_NE(again.find("some data was fetched again, most likely because it was evicted"), std::string::npos) << again;
}

TEST(HardwareReadingTest, NoReadingHasNoSentence) {
  measuring::HardwareReading reading = basicSweep();
  reading.flops = 0;
  EXPECT_EQ(measuring::cacheSentence(reading), "");
  reading = basicSweep();
  reading.counters.dramReadBytes = reading.counters.dramWrittenBytes = 0;
  EXPECT_EQ(measuring::cacheSentence(reading), "");
  EXPECT_EQ(measuring::cacheLine(reading), "");
  EXPECT_EQ(measuring::timeSentence(reading), "");
}

TEST(HardwareReadingTest, TheTimeShowsWhetherDramIsTheLimit) {
  measuring::HardwareReading reading = basicSweep();
  EXPECT_EQ(measuring::timeSentence(reading),
            "In 0.500 ms DRAM moved 2180 GB/s, 55 % of what a copy reaches: DRAM is not the limit.");
  reading.milliseconds = 0.28;
  EXPECT_NE(measuring::timeSentence(reading).find("DRAM is the limit."), std::string::npos)
      << measuring::timeSentence(reading);
  reading.milliseconds = 0.4;
  EXPECT_NE(measuring::timeSentence(reading).find("close to being the limit"), std::string::npos)
      << measuring::timeSentence(reading);
}

TEST(HardwareReadingTest, WhatBothCountIsCompared) {
  measuring::HardwareReading reading = basicSweep();
  std::vector<measuring::CounterAgreement> all = measuring::agreements(reading);
  ASSERT_EQ(all.size(), 2U) << "without shared memory there are no bank conflicts";
  EXPECT_EQ(all[0].difference(), 0.0);
  EXPECT_NEAR(all[1].difference().value(), 0.00493, 1e-5);
  reading.counters.sharedPasses = 130;
  reading.counters.sharedRequests = 100;
  reading.bankConflicts = 33;
  all = measuring::agreements(reading);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_NEAR(all[2].difference().value(), 0.1, 1e-9);
  reading.counters.sharedPasses = 100;
  EXPECT_EQ(measuring::agreements(reading)[2].difference(), std::nullopt);
  reading.bankConflicts = 0;
  EXPECT_EQ(measuring::agreements(reading)[2].difference(), 0.0);
}

TEST(HardwareReadingTest, AReadingIsAboutATextWithItsTunables) {
  KernelFile file = test::catalogue().at("stencil/basic");
  measuring::HardwareReading reading = basicSweep();
  const auto measured = [&] {
    reading.text = file.text;
    reading.bindings = file.bind({{"N", 320}});
  };
  measured();
  EXPECT_TRUE(reading.describes(file, file.bind({{"N", 32}}))) << "only its size differs";
  EXPECT_FALSE(reading.describes(file, file.bind({{"N", 32}, {"BLOCK_X", 16}})));
  KernelFile edited = file;
  edited.text += "// edited";
  EXPECT_FALSE(reading.describes(edited, edited.bind({{"N", 320}}))) << "another text";
  file = edited;
  measured();
  EXPECT_FALSE(reading.describes(file, file.bind({{"N", 32}}))) << "an edited text is measured at its own sizes";
  EXPECT_TRUE(reading.describes(file, file.bind({{"N", 320}})));
  file = test::catalogue().at("stencil/basic");
  file.markOpened();
  measured();
  EXPECT_FALSE(reading.describes(file, file.bind({{"N", 32}}))) << "a file is measured as it is launched";
  EXPECT_TRUE(reading.describes(file, file.bind({{"N", 320}})));
}

TEST(HardwareReadingTest, TheEmulatorsHalfLeavesAtomicsOut) {
  const KernelFile file = KernelFile::parse("test/histogram", "histogram.cu", R"(/* haloscope
title: Histogram
order: 1
sizes:
  N: {default: 64, min: 1, max: 64, meaning: values}
arrays:
  in: {shape: [N]}
  bins: {shape: [N]}
launch:
  grid: [1, 1, 1]
  block: [N, 1, 1]
*/
__global__ void histogram(const float* in, float* bins, int N) {
  __shared__ float sum[64 * 32];
  int i = threadIdx.x;
  sum[i * 32] = in[i];
  __syncthreads();
  atomicAdd(&sum[i * 32], 1.0f);
  atomicAdd(&bins[i], sum[i * 32]);
}
)");
  RunOptions options;
  options.record = false;
  const auto executed = run(file, {file.id, {}, std::nullopt}, options);
  ASSERT_EQ(executed->fault.has_value(), false) << executed->fault->message;
  const measuring::HardwareReading half = measuring::emulatorsHalf(*executed);
  EXPECT_EQ(half.loadSectors, 8U) << "64 floats";
  EXPECT_EQ(half.storeSectors, 0U);
  EXPECT_EQ(half.bankConflicts, 2U * 2 * 31) << "a store and a load, two warps, 32 words of one bank";
  EXPECT_GT(executed->requests.all.sectors, half.loadSectors) << "the atomics' are there";
  EXPECT_EQ(half.bindings, (Bindings{{"N", 64}}));
}

TEST(HardwareReadingTest, SizesAreRaisedUntilNoCacheHoldsTheArrays) {
  const Catalogue& catalogue = test::catalogue();
  constexpr std::uint64_t kCache = 60U << 20U;
  for (const KernelFile& file : catalogue.kernels()) {
    SCOPED_TRACE(file.id);
    const Bindings filling = measuring::fillingSizes(file, file.defaults(), kCache);
    double points = 1;
    for (const Expression& extent : file.arrays.front().shape) {
      points *= static_cast<double>(extent.evaluate(filling));
    }
    EXPECT_GE(2 * points * 4, 4.0 * kCache);
    EXPECT_NO_THROW((void)file.configuration(filling));
    EXPECT_EQ(measuring::fillingSizes(file, filling, kCache), filling) << "large enough";
    EXPECT_EQ(measuring::fillingSizes(file, file.defaults(), 0), file.defaults());
    for (const Tunable& tunable : file.tunables) { EXPECT_EQ(filling.at(tunable.name), tunable.defaultValue); }
  }
  KernelFile opened = catalogue.kernels().front();
  opened.chapter = "opened";
  EXPECT_EQ(measuring::fillingSizes(opened, opened.defaults(), kCache), opened.defaults());
}

}  // namespace
}  // namespace haloscope::experiment
