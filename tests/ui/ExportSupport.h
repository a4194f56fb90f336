#pragma once

#include <glad/gl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "UiDriver.h"
#include "actions/ExportActions.h"

namespace haloscope::test {

inline std::vector<std::string> filesIn(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  return names;
}

/// A window, and a folder for what it exports.
class ExportTest : public ::testing::Test {
 protected:
  ExportTest()
      : folder_(std::filesystem::path(::testing::TempDir()) / ("haloscope_export" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ExportTest() override { std::filesystem::remove_all(folder_); }

  AppState& state() { return driver_.state(); }

  /// Asks for it, in the next frame.
  void begin(ExportPlan plan) {
    plan.output = folder_ / plan.output;
    plan.format = exportFormat(plan.output);
    state().exporting.plan = plan;
    state().exporting.wanted = true;
  }
  /// Frames go by until nothing is being exported, for so long at most.
  void finish(std::chrono::seconds most) {
    const auto began = std::chrono::steady_clock::now();
    glDisable(GL_RASTERIZER_DISCARD);
    do {
      driver_.app().frame(0.01);
    } while (state().exporting.running && std::chrono::steady_clock::now() - began < most);
    glEnable(GL_RASTERIZER_DISCARD);
  }
  void write(const ExportPlan& plan) {
    begin(plan);
    finish(std::chrono::hours(1));
  }
  static ExportPlan planFor(Tab panel, const std::string& name) {
    ExportPlan plan;
    plan.panel = panel;
    plan.output = name;
    plan.width = 480;
    plan.height = 320;
    return plan;
  }

  UiDriver driver_;
  std::filesystem::path folder_;
};

}  // namespace haloscope::test
