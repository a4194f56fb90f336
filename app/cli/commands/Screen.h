#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "driver/Device.h"
#include "experiment/Experiment.h"
#include "options/PictureOptions.h"
#include "state/AppState.h"
#include "state/Playground.h"

namespace haloscope {

struct WindowOptions {
  bool offscreen = false;  ///< no window: to measure frames where there is no display
  bool uncapped = false;   ///< draws without a pause, also when nothing changes
  int frames = 0;          ///< leaves after that many and prints their times as JSON; 0: until the window is closed
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();  ///< of the program
};

/// How many of so many pictures are done.
using ExportReport = std::function<void(std::size_t done, std::size_t all)>;
/// What is to be swept without a window.
struct FieldToPlay {
  std::shared_ptr<const experiment::Experiment> experiment;
  bool sameInput = false;  ///< each sweep begins with the same input
  std::int64_t size = 0;   ///< of the field on a GPU, along each axis; 0: the experiment's
  std::int64_t sweeps = 0;
  std::shared_ptr<const gpu::Device> device;  ///< null: the emulator sweeps
};

/// What commands need of the graphical part of the program.
class Screen {
 public:
  Screen() = default;
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  virtual ~Screen() = default;

  /// Opens the window and returns when it is closed. Throws MissingError without OpenGL or a display.
  virtual void show(AppState state, const WindowOptions& options) = 0;
  /// Waits for everything that `state` asks for, and writes the window's picture. Throws MissingError without OpenGL,
  /// or without a GPU that the state asks for, and InputError if there is nothing to draw or no file can be written.
  virtual void draw(const AppState& state, const PictureOptions& options) = 0;
  /// As draw(), but writes one panel alone, as `plan` says. False if it was asked to stop: then there is no file.
  virtual bool exportPanel(const AppState& state, const PictureOptions& options, const ExportPlan& plan,
                           const ExportReport& report, const std::stop_token& stop) = 0;
  /// Sweeps a field and waits; OpenGL is not needed. Throws InputError and SourceError.
  [[nodiscard]] virtual PlayedField play(const FieldToPlay& field) = 0;
};

}  // namespace haloscope
