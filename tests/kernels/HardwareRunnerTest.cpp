
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "driver/Device.h"
#include "experiment/Experiment.h"
#include "live/HardwareReadings.h"
#include "work/Pool.h"

/// Readings made one after another, outside the frame loop.
namespace haloscope::experiment {
namespace {

measuring::HardwareRequest requestOf(const std::string& id) {
  measuring::HardwareRequest request;
  request.file.id = id;
  return request;
}

measuring::HardwareReading readingOf(const measuring::HardwareRequest& request) {
  measuring::HardwareReading reading;
  reading.id = request.file.id;
  return reading;
}

std::string resultsOf(HardwareRunner& runner) {
  std::string text;
  while (const auto result = runner.poll()) {
    text += result->id + (result->reading != nullptr ? " good; " : " " + result->error + "; ");
  }
  return text;
}

TEST(HardwareRunnerTest, ResultsComeInTheOrderOfTheRequests) {
  work::Pool pool;
  HardwareRunner runner(pool, [](const measuring::HardwareRequest& request, const std::stop_token&) {
    if (request.file.id == "b") { throw InputError("has a fault"); }
    return readingOf(request);
  });
  EXPECT_EQ(runner.measuring(), "");
  EXPECT_EQ(resultsOf(runner), "");
  runner.request({requestOf("a"), requestOf("b"), requestOf("c")});
  EXPECT_NE(runner.measuring() + resultsOf(runner), "") << "busy, or done";
  runner.request({requestOf("a"), requestOf("b"), requestOf("c")});
  runner.wait();
  EXPECT_EQ(runner.measuring(), "");
  EXPECT_EQ(resultsOf(runner), "a good; b has a fault; c good; ");
}

TEST(HardwareRunnerTest, WithoutCountersTheOthersAreDropped) {
  std::atomic<int> asked = 0;
  work::Pool pool;
  HardwareRunner runner(pool,
                        [&](const measuring::HardwareRequest&, const std::stop_token&) -> measuring::HardwareReading {
                          ++asked;
                          throw gpu::Unavailable("no counters");
                        });
  runner.request({requestOf("a"), requestOf("b")});
  runner.wait();
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(resultsOf(runner), "a no counters; ");
  runner.request({requestOf("b")});
  runner.wait();
  EXPECT_EQ(resultsOf(runner), "b no counters; ") << "they may be allowed by now";
}

TEST(HardwareRunnerTest, ANewerRequestStopsTheOlder) {
  std::atomic<bool> begun = false;
  work::Pool pool;
  HardwareRunner runner(pool, [&](const measuring::HardwareRequest& request, const std::stop_token& stop) {
    if (request.file.id == "long") {
      begun = true;
      while (!stop.stop_requested()) { std::this_thread::yield(); }
      throw Cancelled{};
    }
    return readingOf(request);
  });
  runner.request({requestOf("long"), requestOf("dropped")});
  while (!begun) { std::this_thread::yield(); }
  EXPECT_EQ(runner.measuring(), "long");
  runner.request({requestOf("new")});
  runner.wait();
  EXPECT_EQ(resultsOf(runner), "new good; ");
}

TEST(HardwareRunnerTest, EndsWhileItMeasures) {
  std::atomic<int> begun = 0, stopped = 0;
  work::Pool pool;
  {
    HardwareRunner runner(
        pool, [&](const measuring::HardwareRequest&, const std::stop_token& stop) -> measuring::HardwareReading {
          ++begun;
          while (!stop.stop_requested()) { std::this_thread::yield(); }
          ++stopped;
          throw Cancelled{};
        });
    runner.request({requestOf("long"), requestOf("never")});
    while (begun == 0) { std::this_thread::yield(); }
  }
  EXPECT_EQ(begun, 1) << "what had not begun does not begin any more";
  EXPECT_EQ(stopped, 1) << "it has ended with its runner";
}

}  // namespace
}  // namespace haloscope::experiment
