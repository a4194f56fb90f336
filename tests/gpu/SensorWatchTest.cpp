#include "hardware/SensorWatch.h"

#include <chrono>
#include <thread>

#include "GpuSupport.h"

/// The sensors of the real GPU, read in the background.
namespace haloscope::gpu {
namespace {

class SensorWatchTest : public OnGpu {};

TEST_F(SensorWatchTest, ReadsWhileWatchedAndEndsInTheMiddle) {
  const auto begin = std::chrono::steady_clock::now();
  {
    hardware::SensorWatch watch(device_);
    EXPECT_EQ(watch.conditions().readings, 0);
    watch.watch(true);
    while (watch.conditions().readings == 0 && std::chrono::steady_clock::now() - begin < std::chrono::seconds(10)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_GT(watch.conditions().medianClockMHz, 100);
  }  // still watched
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

}  // namespace
}  // namespace haloscope::gpu
