#include "hardware/Peaks.h"

#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "FaultSupport.h"

/// The ceilings of a GPU are measured once and known from then on. On a fake driver.
namespace haloscope::gpu {
namespace {

class PeaksTest : public testing::Test, public OnDevice {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("haloscope-peaks-" + std::to_string(getpid()));
    open(fakeDevice());
    if (!IsSkipped()) { first_ = hardware::knownPeaks(device_, cache()); }
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

TEST_F(PeaksTest, AreMeasuredAgainWhenStaleOrUnreadable) {
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

}  // namespace
}  // namespace haloscope::gpu
