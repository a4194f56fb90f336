#include "hardware/Peaks.h"

#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "GpuSupport.h"

/// The ceilings of a GPU are measured once and known from then on. On a fake driver.
namespace haloscope::gpu {
namespace {

#ifdef HALOSCOPE_FAKE_DRIVER

class PeaksTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("haloscope-peaks-" + std::to_string(getpid()));
    device_ = findDevice({.ordinal = 0, .driver = HALOSCOPE_FAKE_DRIVER}).device;
    if (!device_) { GTEST_SKIP() << "the fake driver is not next to this test"; }
    try {
      first_ = hardware::knownPeaks(device_, cache());
    } catch (const Unavailable& missing) { GTEST_SKIP() << missing.what(); }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] DiskCache cache() const { return {folder_, 1U << 16U}; }
  /// Changes the only entry.
  template <typename Change>
  void edit(Change change) const {
    const std::string key = std::filesystem::directory_iterator(folder_)->path().filename();
    nlohmann::json json = nlohmann::json::parse(*cache().read(key));
    change(json);
    cache().write(key, json.dump());
  }

  std::filesystem::path folder_;
  std::shared_ptr<Device> device_;
  hardware::Peaks first_;
};

TEST_F(PeaksTest, AreMeasuredOnceAndReadFromThenOn) {
  EXPECT_GT(first_.copyGBs, 0);
  EXPECT_FALSE(first_.copyKind.empty());
  EXPECT_GT(first_.measured, 0);
  edit([](nlohmann::json& json) { json["copy_gb_per_s"] = 1234.5; });
  EXPECT_EQ(hardware::knownPeaks(device_, cache()).copyGBs, 1234.5);
  EXPECT_EQ(hardware::knownPeaks(device_, DiskCache()).copyGBs, first_.copyGBs) << "without a cache they are measured";
}

TEST_F(PeaksTest, AreMeasuredAnewWhenStaleOrUnreadable) {
  edit([](nlohmann::json& json) {
    json["copy_gb_per_s"] = 1234.5;
    json["measured"] = json["measured"].get<std::int64_t>() - 31 * 24 * 3600;
  });
  EXPECT_EQ(hardware::knownPeaks(device_, cache()).copyGBs, first_.copyGBs);
  edit([](nlohmann::json& json) {
    json["copy_gb_per_s"] = 1234.5;
    json["measured"] = json["measured"].get<std::int64_t>() + 3600;  // by a clock that went wrong
  });
  EXPECT_EQ(hardware::knownPeaks(device_, cache()).copyGBs, first_.copyGBs);
  edit([](nlohmann::json& json) { json = {{"copy_gb_per_s", "many"}}; });
  EXPECT_EQ(hardware::knownPeaks(device_, cache()).copyGBs, first_.copyGBs);
}

#endif

}  // namespace
}  // namespace haloscope::gpu
