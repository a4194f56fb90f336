#include "documents/Recovery.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace haloscope {
namespace {

namespace fs = std::filesystem;

WorkingCopy copyOf(const std::string& text) {
  WorkingCopy copy;
  copy.id = "opened/mine";
  copy.path = "/home/ada/mine.cu";
  copy.text = text;
  copy.fileText = "as it was";
  copy.opened = true;
  return copy;
}

class RecoveryTest : public ::testing::Test {
 protected:
  RecoveryTest() : folder_(fs::path(::testing::TempDir()) / ("haloscope_recovery" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
  }
  ~RecoveryTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fs::path folder_;
};

TEST_F(RecoveryTest, TwoProgramsThatEndedLeaveTwoTexts) {
  auto first = std::make_unique<Recovery>(folder_);
  auto second = std::make_unique<Recovery>(folder_);
  EXPECT_EQ(first->keep(copyOf("typed first")), "");
  std::this_thread::sleep_for(std::chrono::milliseconds(30));  // times of files are coarse
  EXPECT_EQ(second->keep(copyOf("typed second")), "");
  first.reset();
  second.reset();
  {
    Recovery next(folder_);
    ASSERT_EQ(next.found().size(), 1U);
    EXPECT_EQ(next.found()[0].text, "typed second");
    next.forget("opened/mine");
  }
  Recovery later(folder_);
  ASSERT_EQ(later.found().size(), 1U) << "the older text is offered when the newer one is dealt with";
  EXPECT_EQ(later.found()[0].text, "typed first");
}

TEST_F(RecoveryTest, TheSameTextIsFoundOnce) {
  auto first = std::make_unique<Recovery>(folder_);
  auto second = std::make_unique<Recovery>(folder_);
  EXPECT_EQ(first->keep(copyOf("typed")), "");
  EXPECT_EQ(second->keep(copyOf("typed")), "");
  first.reset();
  second.reset();
  {
    Recovery next(folder_);
    EXPECT_EQ(next.found().size(), 1U);
    next.forget("opened/mine");
  }
  EXPECT_TRUE(Recovery(folder_).found().empty());
}

}  // namespace
}  // namespace haloscope
