#include "work/Worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// One kind of work, whose newest request counts.

namespace haloscope::work {
namespace {

constexpr Demand kAtOnce{Priority::Foreground, Cores::One};

TEST(WorkerTest, AResultIsTakenOnce) {
  Pool pool(2);
  Worker<int, int> worker(pool, kAtOnce, [](int value, const std::stop_token&) { return value * value; });
  EXPECT_FALSE(worker.busy());
  EXPECT_FALSE(worker.poll());
  EXPECT_FALSE(worker.wait());
  worker.request(7);
  EXPECT_TRUE(worker.busy());
  EXPECT_EQ(worker.wait(), 49);
  EXPECT_FALSE(worker.busy());
  EXPECT_FALSE(worker.running());
  EXPECT_FALSE(worker.poll());
}

TEST(WorkerTest, FollowDoesNothingTwice) {
  Pool pool(2);
  std::atomic<int> made = 0;
  Worker<std::string, int> worker(pool, kAtOnce, [&](const std::string&, const std::stop_token&) { return ++made; });
  worker.follow("a");
  EXPECT_EQ(worker.wait(), 1);
  worker.follow("a");
  EXPECT_FALSE(worker.busy());
  worker.follow("b");
  EXPECT_EQ(worker.wait(), 2);
  worker.request("b");
  EXPECT_EQ(worker.wait(), 3) << "request() asks again";
}

TEST(WorkerTest, ANewerRequestStopsTheOlderWhichEndsFirst) {
  Pool pool(2);
  std::atomic<int> inside = 0;
  std::atomic<bool> begun = false;
  std::atomic<bool> together = false;
  Worker<int, int> worker(pool, kAtOnce, [&](int value, const std::stop_token& stop) {
    if (++inside > 1) { together = true; }
    begun = true;
    while (value == 0 && !stop.stop_requested()) { std::this_thread::yield(); }
    --inside;
    return value;
  });
  worker.request(0);
  while (!begun) { std::this_thread::yield(); }
  for (int i = 1; i <= 20; ++i) { worker.request(i); }
  EXPECT_EQ(worker.wait(), 20);
  EXPECT_FALSE(worker.poll()) << "what was replaced has no result";
  EXPECT_FALSE(together);
}

TEST(WorkerTest, ACancelledRequestHasNoResult) {
  Pool pool(2);
  std::atomic<bool> begun = false;
  Worker<int, int> worker(pool, kAtOnce, [&](int, const std::stop_token& stop) {
    begun = true;
    while (!stop.stop_requested()) { std::this_thread::yield(); }
    return 1;
  });
  worker.follow(1);
  while (!begun) { std::this_thread::yield(); }
  worker.cancel();
  EXPECT_FALSE(worker.busy());
  EXPECT_FALSE(worker.wait());
  worker.follow(1);
  EXPECT_TRUE(worker.busy()) << "it was dropped, so it is requested again";
  worker.cancel();
}

TEST(WorkerTest, ResultsComeOneByOneThenTheException) {
  Pool pool(2);
  Worker<int, int> worker(pool, kAtOnce, [](int count, Delivery<int>& delivery) {
    for (int i = 0; i < count; ++i) {
      delivery.report("item " + std::to_string(i));
      delivery.publish(i);
    }
    throw std::runtime_error("no more");
  });
  worker.request(2);
  worker.finish();
  EXPECT_EQ(worker.doing(), "item 1");
  EXPECT_EQ(worker.poll(), 0);
  EXPECT_EQ(worker.poll(), 1);
  EXPECT_TRUE(worker.busy());
  EXPECT_THROW(worker.poll(), std::runtime_error);
  EXPECT_FALSE(worker.busy());
  EXPECT_FALSE(worker.poll());
}

TEST(WorkerTest, ResultsNeedNotBeCopied) {
  Pool pool(2);
  Worker<int, std::unique_ptr<int>> worker(
      pool, kAtOnce, [](int value, const std::stop_token&) { return std::make_unique<int>(value); });
  worker.request(3);
  EXPECT_EQ(**worker.wait(), 3);
}

TEST(WorkerTest, ItsEndWaitsForTheWork) {
  Pool pool(2);
  std::atomic<bool> begun = false;
  std::atomic<bool> ended = false;
  {
    Worker<int, int> worker(pool, kAtOnce, [&](int value, const std::stop_token& stop) {
      begun = true;
      while (!stop.stop_requested()) { std::this_thread::yield(); }
      ended = true;
      return value;
    });
    worker.request(1);
    while (!begun) { std::this_thread::yield(); }
    worker.request(2);
    worker.cancel();
  }
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace haloscope::work
