#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "files/FileText.h"
#include "tests/pages/TemporaryFolder.h"

namespace haloscope {

/// What a module answers in Node when each function is called with these bytes, by name, one after another.
[[nodiscard]] inline std::vector<std::string> moduleAnswers(
    const std::vector<std::pair<std::string, std::string>>& calls, const char* module = HALOSCOPE_MODULE) {
  const TemporaryFolder folder;
  std::string command =
      fmt::format("cd '{}' && node '{}' '{}' '{}'", folder.path().string(), HALOSCOPE_TEST_DIR "/ask.js", module,
                  HALOSCOPE_SOURCE_DIR "/assets/handout/worker.js");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    folder.write(std::to_string(i), calls[i].second);
    command += fmt::format(" {}:{}", calls[i].first, i);
  }
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::vector<std::string> answers;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    answers.push_back(readWhole(folder.path() / fmt::format("{}.answer", i)).value_or("nothing"));
  }
  return answers;
}

class ModuleTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(HALOSCOPE_MODULE)) { GTEST_SKIP() << "./run.sh --pages builds the module"; }
    if (std::system("command -v node >/dev/null 2>&1") != 0) { GTEST_SKIP() << "there is no node"; }
  }
};

}  // namespace haloscope
