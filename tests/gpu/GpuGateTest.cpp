#include "measuring/GpuGate.h"
#include "measuring/GpuRecorder.h"
#include "measuring/Verify.h"

#include <chrono>

#include "FaultSupport.h"
#include "GpuSupport.h"
#include "catalogue/BugLab.h"
#include "checking/ShippedVariants.h"
#include "experiment/Experiment.h"
#include "measuring/HardwareMeasurement.h"
#include "measuring/Tuning.h"
#include "work/Pool.h"

/// No text reaches a GPU unchecked, whichever way it takes. These races finish on the emulator with the right result.
namespace haloscope::gpu {
namespace {

KernelFile withoutBarriers(KernelFile file) {
  const std::string barrier = "__syncthreads();";
  for (std::size_t at = 0; (at = file.text.find(barrier, at)) != std::string::npos;) {
    file.text.erase(at, barrier.size());
  }
  return file;
}

KernelFile raceOf(const std::string& which) {
  if (which == "edited") { return withoutBarriers(theCatalogue().at("stencil/tiled")); }
  return BugLab::read(shipped("assets/buglab")).find("flicker")->faulty;
}

TEST(ShippedVariants, AreTheUnchangedTextsOfTheCatalogueAlone) {
  const Catalogue catalogue = theCatalogue();
  for (const KernelFile& file : catalogue.kernels()) { EXPECT_TRUE(checking::isShippedVariant(file)) << file.id; }
  KernelFile edited = catalogue.at("stencil/tiled");
  edited.text += ' ';
  EXPECT_FALSE(checking::isShippedVariant(edited));
  KernelFile opened = catalogue.at("stencil/tiled");
  opened.markOpened();
  EXPECT_FALSE(checking::isShippedVariant(opened));
  const BugLab lab = BugLab::read(shipped("assets/buglab"));
  for (const BugTask& task : lab.tasks()) {
    EXPECT_FALSE(checking::isShippedVariant(task.faulty)) << task.id;
    EXPECT_FALSE(checking::isShippedVariant(task.fixed)) << task.id;
  }
}

TEST(GpuGate, ClearsAShippedVariantAtSizesThatNoCheckCouldTake) {
  const KernelFile file = theCatalogue().at("stencil/tiled");
  Bindings large = file.defaults();
  large["N"] = file.sizes.front().maximum;
  measuring::GpuGate gate;
  EXPECT_TRUE(gate.ask(file, large).clearance);
}

TEST(GpuGate, ChecksAnEditedTextAtItsSizesOrRefusesThem) {
  KernelFile file = theCatalogue().at("stencil/tiled");
  file.text += "// edited\n";
  measuring::GpuGate gate;
  EXPECT_TRUE(gate.ask(file, file.defaults()).clearance);
  Bindings large = file.defaults();
  large["N"] = file.sizes.front().maximum;
  for (int time = 0; time < 2; ++time) {  // the second answer is remembered
    try {
      (void)gate.ask(file, large);
      ADD_FAILURE() << "was cleared unchecked";
    } catch (const InputError& refused) {
      EXPECT_NE(std::string(refused.what()).find("too large to be checked"), std::string::npos) << refused.what();
    }
  }
}

TEST(GpuGate, RequireNamesTheFaultAndItsPlace) {
  const KernelFile race = raceOf("edited");
  try {
    measuring::GpuGate gate;
    (void)gate.require(race, race.defaults());
    ADD_FAILURE() << "a race was cleared";
  } catch (const experiment::FaultError& fault) {
    EXPECT_TRUE(fault.where().valid());
    EXPECT_NE(std::string(fault.what()).find("no barrier between"), std::string::npos) << fault.what();
  }
}

class GpuGatePathTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const DeviceSearch search = findDevice(fakeDevice());
    ASSERT_TRUE(search.device) << search.missing;
    device_ = search.device;
  }

  std::shared_ptr<Device> device_;
  KernelFile race_ = raceOf(GetParam());
  measuring::GpuGate gate_;
};

TEST_P(GpuGatePathTest, TuningDoesNotTimeARace) {
  measuring::TuningRequest request;
  request.file = race_;
  request.bindings = race_.defaults();
  request.target = measuring::targetOf(device_, 1000);
  work::Pool pool;
  measuring::Tuner tuner(pool, gate_);
  const measuring::TuningMap map = tuner.tune(request);
  const auto chosen = map.chosen(map.bindings);
  ASSERT_TRUE(chosen);
  EXPECT_NE(map.cells[*chosen].limit.find("line "), std::string::npos) << map.cells[*chosen].limit;
  for (const measuring::TuningCell& cell : map.cells) { EXPECT_FALSE(cell.timed()) << cell.limit; }
}

TEST_P(GpuGatePathTest, HardwareCountersAreNotReadOfARace) {
  EXPECT_THROW((void)measuring::measureHardware(device_, gate_, {race_, race_.defaults()}), experiment::FaultError);
}

TEST_P(GpuGatePathTest, ARaceIsNotStepped) {
  const auto emulated = experiment::run(race_, {race_.id, race_.defaults(), std::nullopt}, {});
  ASSERT_FALSE(emulated->fault);
  measuring::GpuRecorder recorder(device_);
  try {
    (void)measuring::recordOnGpu(recorder, gate_, emulated);
    ADD_FAILURE() << "a race was recorded";
  } catch (const InputError& refused) {
    EXPECT_TRUE(std::string(refused.what()).starts_with("This kernel is not run on the GPU: ")) << refused.what();
  }
}

TEST_P(GpuGatePathTest, TheRecordingOfARaceIsNotVerified) {
  const auto results = measuring::verifyRecording(device_, race_, race_.defaults(), gate_);
  ASSERT_EQ(results.size(), 1U);
  EXPECT_FALSE(results[0].pass());
  EXPECT_NE(results[0].message.find("no barrier between"), std::string::npos) << results[0].message;
}

INSTANTIATE_TEST_SUITE_P(Texts, GpuGatePathTest, testing::Values("edited", "buglab"),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace haloscope::gpu
