#include "hardware/Sensors.h"

#include <cstdlib>

#include "FaultSupport.h"

/// Clock, power and disturbances of a measurement, as reported by NVML or by a fake of it.
namespace haloscope::gpu {
namespace {

TEST(ConditionsTest, ClockAndPowerOfSeveralReadings) {
  const hardware::Conditions conditions =
      hardware::conditionsOf({{1900, 300, 0x1, {}}, {1980, 500, 0x2, {}}, {1950, 0, 0, {}}});
  EXPECT_EQ(conditions.readings, 3);
  EXPECT_EQ(conditions.lowestClockMHz, 1900);
  EXPECT_EQ(conditions.medianClockMHz, 1950);
  EXPECT_EQ(conditions.highestClockMHz, 1980);
  EXPECT_DOUBLE_EQ(conditions.powerWatts, 400);
  EXPECT_FALSE(conditions.competed);
  EXPECT_EQ(conditions.disturbance, "") << "idling, and a clock that its owner has set, disturb nothing";
  EXPECT_EQ(hardware::conditionsOf({}).readings, 0);
  EXPECT_EQ(hardware::conditionsOf({{}, {}}).readings, 0);
}

TEST(ConditionsTest, EveryDisturbanceIsNamed) {
  const hardware::Conditions conditions =
      hardware::conditionsOf({{1000, 300, 0x4, {}}, {1980, 300, 0x40, {17, 23}}, {1980, 0, 0, {23}}});
  EXPECT_EQ(conditions.disturbance,
            "the power limit lowers the clock; the GPU is too hot and lowers its clock; "
            "the clock went from 1000 to 1980 MHz; processes 17 and 23 compute on this GPU too");
  EXPECT_TRUE(conditions.competed);
}

class SensorsTest : public testing::Test {
 protected:
  void SetUp() override {
    device_ = findDevice(fakeDevice()).device;
    ASSERT_TRUE(device_);
  }
  void TearDown() override { unsetenv("FAKE_NVML"); }

  std::shared_ptr<Device> device_;
};

TEST_F(SensorsTest, AReadingHasWhatTheLibraryReports) {
  const hardware::Sensors sensors(*device_, fakeLibrary("nvml"));
  EXPECT_EQ(sensors.missing(), "");
  EXPECT_EQ(sensors.driverVersion(), "580.1");
  setenv("FAKE_NVML", "1980,345000,4,77", 1);
  const hardware::SensorReading reading = sensors.read();
  EXPECT_EQ(reading.smClockMHz, 1980);
  EXPECT_DOUBLE_EQ(reading.powerWatts, 345);
  EXPECT_EQ(reading.slowdowns, 4U);
  EXPECT_EQ(reading.competitors, std::vector<unsigned>{77}) << "not this process, nor one that only holds memory";
  setenv("FAKE_NVML", "1980", 1);
  EXPECT_TRUE(sensors.read().competitors.empty());
}

TEST_F(SensorsTest, WithoutTheLibraryThereAreNoReadings) {
  const hardware::Sensors sensors(*device_, "libnvidia-ml-that-is-not-there.so.1");
  EXPECT_NE(sensors.missing().find("libnvidia-ml-that-is-not-there.so.1"), std::string::npos);
  EXPECT_EQ(hardware::conditionsOf({sensors.read()}).readings, 0);
  EXPECT_EQ(sensors.driverVersion(), "");
}

class RealSensorsTest : public OnGpu {};

TEST_F(RealSensorsTest, ClockAndPowerAreReported) {
  const hardware::Sensors sensors(*device_);
  ASSERT_EQ(sensors.missing(), "");
  const hardware::SensorReading reading = sensors.read();
  EXPECT_GT(reading.smClockMHz, 100);
  EXPECT_GT(reading.powerWatts, 1);
  EXPECT_FALSE(sensors.driverVersion().empty());
}

}  // namespace
}  // namespace haloscope::gpu
