#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "PanelStudio.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// Writes what AppState::exporting asks for: draws some of its pictures between the frames, and has them written
/// beside them.
class PanelExporter {
 public:
  /// `refresh` brings up to date what the window draws for its panels, such as the field's picture.
  PanelExporter(render::Context& context, work::Pool& pool, std::vector<std::filesystem::path> fonts,
                std::filesystem::path shaders, std::function<void()> refresh);

  ~PanelExporter();
  PanelExporter(const PanelExporter&) = delete;
  PanelExporter& operator=(const PanelExporter&) = delete;

  /// A frame's share of it. Between ImGui's frames only. `recorded`: see PanelStudio::draw().
  void update(AppState& state, render::RecordedValues* recorded);
  [[nodiscard]] bool busy() const { return job_ != nullptr; }

 private:
  struct Job;
  /// Of the writing thread: one after the other. Whether the file is there now.
  using Task = std::function<bool()>;

  void begin(AppState& state);
  void stop();
  void goOn(AppState& state, render::RecordedValues* recorded);
  void drawNext(AppState& state, render::RecordedValues* recorded);
  void end(AppState& state);

  render::Context& context_;
  std::vector<std::filesystem::path> fonts_;
  std::filesystem::path shaders_;
  std::function<void()> refresh_;
  std::unique_ptr<PanelStudio> studio_;
  std::unique_ptr<Job> job_;
  work::Worker<Task, bool> writer_;
};

}  // namespace haloscope
