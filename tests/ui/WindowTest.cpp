#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "XDisplay.h"

/// The program itself in a window on a display: real key presses, a real pointer, what is on the screen, how it ends.
namespace haloscope::test {
namespace {

namespace fs = std::filesystem;

constexpr double kPatience = 60;  // seconds; the machine may be busy and OpenGL may run on it

bool within(double seconds, const std::function<bool()>& happens) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!happens()) {
    if (std::chrono::steady_clock::now() > end) { return false; }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return true;
}

std::set<std::uint32_t> coloursOf(const render::Image& image) {
  std::set<std::uint32_t> colours;
  for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
    colours.insert(static_cast<std::uint32_t>(image.rgba[i] << 16 | image.rgba[i + 1] << 8 | image.rgba[i + 2]));
  }
  return colours;
}

class Window : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* program : {"Xvfb", "xdotool"}) {
      if (!inPath(program)) { GTEST_SKIP() << program << " is not installed"; }
    }
    display_ = std::make_unique<XDisplay>(1280, 720);
    config_ = fs::temp_directory_path() / ("haloscope-config-" + std::to_string(getpid()));
    fs::create_directories(config_);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(config_, ignored);
  }

  std::unique_ptr<ChildProcess> start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), HALOSCOPE_BINARY);
    return std::make_unique<ChildProcess>(arguments, environment());
  }
  std::vector<std::string> environment() const {
    return {"DISPLAY=" + display_->name(), "LIBGL_ALWAYS_SOFTWARE=1", "HALOSCOPE_NO_GPU=1",
            "XDG_CONFIG_HOME=" + config_.string()};
  }
  void xdotool(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "xdotool");
    ChildProcess tool(arguments, environment());
    ASSERT_EQ(tool.wait(kPatience), 0) << tool.output();
  }
  /// Waits for the window with something drawn in it.
  void awaitWindow() {
    xdotool({"search", "--sync", "--onlyvisible", "--name", "Haloscope", "windowfocus"});
    ASSERT_TRUE(within(kPatience, [&] { return coloursOf(display_->screenshot()).size() > 200; }));
  }
  /// Acts until the picture has changed from what it was.
  void expectChange(const std::function<void()>& act) {
    const render::Image before = display_->screenshot();
    act();
    EXPECT_TRUE(within(kPatience, [&] { return display_->screenshot().rgba != before.rgba; }));
  }

  std::unique_ptr<XDisplay> display_;
  fs::path config_;
};

TEST_F(Window, AnswersKeysAndPointerAndQuits) {
  const auto program = start({"--kernel", "stencil/tiled"});
  awaitWindow();
  ASSERT_TRUE(program->runs()) << program->output();

  xdotool({"key", "Home"});
  std::this_thread::sleep_for(std::chrono::seconds(2));
  expectChange([&] { xdotool({"key", "End"}); });
  expectChange([&] { xdotool({"key", "t"}); });
  // The tile's knob, dragged to the left end of its line.
  expectChange([&] {
    xdotool({"mousemove", "473", "50", "mousedown", "1", "mousemove", "420", "50", "sleep", "0.3", "mouseup", "1"});
  });
  EXPECT_TRUE(program->runs()) << program->output();

  // "key ctrl+q" lets go of Ctrl first, all within the time of one frame drawn in software; a user's fingers are
  // slower.
  xdotool({"keydown", "ctrl", "key", "q", "sleep", "0.3", "keyup", "ctrl"});
  EXPECT_EQ(program->wait(kPatience), 0) << program->output();
  EXPECT_EQ(program->output(), "");
  EXPECT_TRUE(fs::exists(config_ / "haloscope" / "window.ini")) << "where the panels are is remembered";
}

TEST_F(Window, PresentsAndHasTheNotesInAWindowOfTheirOwn) {
  const auto program = start({HALOSCOPE_SOURCE_DIR "/assets/sessions/chapters-7-and-8.halo"});
  awaitWindow();
  expectChange([&] { xdotool({"key", "F11"}); });
  expectChange([&] { xdotool({"keydown", "shift", "key", "F12", "sleep", "0.3", "keyup", "shift"}); });
  xdotool({"search", "--sync", "--onlyvisible", "--name", "Haloscope: notes"});
  expectChange([&] { xdotool({"key", "Next"}); });
  EXPECT_TRUE(program->runs()) << program->output();
  // A click into the notes gives them the keys.
  xdotool({"search", "--onlyvisible", "--name", "Haloscope: notes", "windowfocus"});
  expectChange([&] { xdotool({"key", "Next"}); });
  expectChange([&] { xdotool({"key", "t"}); });
  xdotool({"keydown", "ctrl", "key", "q", "sleep", "0.3", "keyup", "ctrl"});
  EXPECT_EQ(program->wait(kPatience), 0) << program->output();
}

TEST_F(Window, MeasuresItsFrames) {
  const auto program = start({"--frames", "30", "--uncapped"});
  ASSERT_EQ(program->wait(kPatience), 0) << program->output();
  const nlohmann::json times = nlohmann::json::parse(program->output());
  EXPECT_EQ(times.at("frames"), 30);
  EXPECT_GT(times.at("median_ms"), 0);
  EXPECT_GT(times.at("first_frame_ms"), 0);
}

TEST_F(Window, WithoutADisplaySaysSo) {
  ChildProcess program({HALOSCOPE_BINARY}, {"DISPLAY=", "WAYLAND_DISPLAY="});
  EXPECT_EQ(program.wait(kPatience), 3);
  EXPECT_NE(program.output().find("display"), std::string::npos) << program.output();
}

}  // namespace
}  // namespace haloscope::test
