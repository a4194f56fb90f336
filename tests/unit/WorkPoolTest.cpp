#include "work/Pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

// Which job begins when, on a machine with two cores.

namespace haloscope::work {
namespace {

constexpr Demand kSoon{Priority::Foreground, Cores::All};
constexpr Demand kLater{Priority::Background, Cores::One};
constexpr Demand kLaterAll{Priority::Background, Cores::All};
constexpr Demand kDevice{Priority::Background, Cores::None};

class WorkPoolTest : public ::testing::Test {
 protected:
  /// A job that writes its name down and ends when it may.
  Pool::Job held(std::string name) {
    return [this, name = std::move(name)](const std::stop_token& stop) {
      note(name);
      while (!mayEnd_ && !stop.stop_requested()) { std::this_thread::yield(); }
    };
  }
  Pool::Job quick(std::string name) {
    return [this, name = std::move(name)](const std::stop_token&) { note(name); };
  }
  void note(const std::string& name) {
    const std::scoped_lock lock(mutex_);
    begun_ += name;
  }
  [[nodiscard]] std::string begun() {
    const std::scoped_lock lock(mutex_);
    return begun_;
  }
  void waitUntilBegun(std::size_t count) {
    while (begun().size() < count) { std::this_thread::yield(); }
  }

  std::mutex mutex_;
  std::string begun_;
  std::atomic<bool> mayEnd_ = false;
  Pool pool_{2};
};

TEST_F(WorkPoolTest, ABackgroundJobWaitsForACore) {
  const auto first = pool_.submit(kLater, held("a"));
  const auto second = pool_.submit(kLater, held("b"));
  const auto third = pool_.submit(kLater, held("c"));
  waitUntilBegun(2);
  EXPECT_EQ(begun().find('c'), std::string::npos);
  EXPECT_TRUE(pool_.running(third));
  mayEnd_ = true;
  for (const auto& task : {first, second, third}) { pool_.wait(task); }
  EXPECT_EQ(begun().size(), 3U);
  EXPECT_FALSE(pool_.running(third));
}

TEST_F(WorkPoolTest, OnlyOneBackgroundJobHasAllCores) {
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  std::vector<Pool::Handle> tasks;
  for (int i = 0; i < 20; ++i) {
    tasks.push_back(pool_.submit(kLaterAll, [&](const std::stop_token&) {
      most = std::max(most.load(), ++running);
      std::this_thread::yield();
      --running;
    }));
  }
  while (pool_.running(tasks.back())) { std::this_thread::yield(); }  // waiting for one would execute it here
  for (const auto& task : tasks) { pool_.wait(task); }
  EXPECT_EQ(most, 1);
}

TEST_F(WorkPoolTest, AForegroundJobOvertakesThoseThatWait) {
  const auto check = pool_.submit(kLaterAll, held("c"));
  const auto figure = pool_.submit(kLater, held("f"));
  waitUntilBegun(1);
  const auto experiment = pool_.submit(kSoon, held("e"));
  waitUntilBegun(2);
  EXPECT_EQ(begun(), "ce");
  mayEnd_ = true;
  for (const auto& task : {check, figure, experiment}) { pool_.wait(task); }
  EXPECT_EQ(begun(), "cef");
}

TEST_F(WorkPoolTest, AJobThatNeedsAllCoresIsNotOvertakenForever) {
  const auto first = pool_.submit(kLater, held("a"));
  waitUntilBegun(1);
  const auto all = pool_.submit(kLaterAll, held("b"));
  const auto small = pool_.submit(kLater, quick("c"));
  const auto device = pool_.submit(kDevice, quick("d"));
  waitUntilBegun(2);
  EXPECT_EQ(begun(), "ad") << "what needs no core begins at once";
  mayEnd_ = true;
  while (pool_.running(small)) { std::this_thread::yield(); }
  EXPECT_EQ(begun(), "adbc");
  for (const auto& task : {first, all, small, device}) { pool_.wait(task); }
}

TEST_F(WorkPoolTest, AReplacedJobStopsBeforeItsSuccessorBegins) {
  const auto first = pool_.submit(kSoon, held("a"));
  waitUntilBegun(1);
  const auto second = pool_.submit(kSoon, quick("b"), first);
  const auto third = pool_.submit(kSoon, quick("c"), second);  // most likely before the second has begun
  pool_.wait(third);
  EXPECT_FALSE(pool_.running(first));
  EXPECT_FALSE(pool_.running(second));
  EXPECT_TRUE(begun() == "ac" || begun() == "abc") << begun();
}

TEST_F(WorkPoolTest, ACancelledJobNeverBegins) {
  const auto first = pool_.submit(kLaterAll, held("a"));
  const auto second = pool_.submit(kLaterAll, quick("b"));
  waitUntilBegun(1);
  pool_.cancel(second);
  EXPECT_FALSE(pool_.running(second));
  pool_.wait(second);
  mayEnd_ = true;
  pool_.wait(first);
  EXPECT_EQ(begun(), "a");
}

TEST_F(WorkPoolTest, AJobMayWaitForOthersThatHaveNoRoom) {
  const auto outer = pool_.submit(kLaterAll, [this](const std::stop_token&) {
    std::vector<Pool::Handle> inner;
    for (const char* name : {"a", "b", "c"}) { inner.push_back(pool_.submit(kLater, quick(name))); }
    for (const auto& task : inner) { pool_.wait(task); }
    note("d");
  });
  pool_.wait(outer);
  EXPECT_EQ(begun(), "abcd");
}

TEST_F(WorkPoolTest, ManyThreadsSubmitAndCancel) {
  std::atomic<int> done = 0;
  std::latch ready(4);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        ready.arrive_and_wait();
        Pool::Handle last;
        for (int i = 0; i < 200; ++i) {
          const Demand demand = i % 3 == 0 ? kSoon : i % 3 == 1 ? kLaterAll : kDevice;
          last = pool_.submit(demand, [&](const std::stop_token&) { ++done; }, (i + t) % 2 == 0 ? last : nullptr);
          if (i % 5 == 0) { pool_.cancel(last); }
        }
        pool_.wait(last);
      });
    }
  }
  Pool::Handle end = pool_.submit(kLaterAll, [](const std::stop_token&) {});
  while (pool_.running(end)) { std::this_thread::yield(); }
  EXPECT_GT(done, 0);
}

}  // namespace
}  // namespace haloscope::work
