#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "PanelStudio.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// What an animation sets in motion, where the recording alone does not.
struct MovingSources {
  std::function<void()> updateField = [] {};  ///< as a frame does, see FieldController
  std::function<bool()> fieldChanges = [] { return false; };
  std::function<void(bool)> leaveFieldUnwatched = [](bool) {};
  std::function<void()> updateVariants = [] {};  ///< side by side: they go to where the common time has come
};

/// Writes what AppState::exporting asks for: draws some of its pictures between the frames, and has them written
/// beside them.
class PanelExporter {
 public:
  PanelExporter(render::Context& context, work::Pool& pool, std::vector<std::filesystem::path> fonts,
                std::filesystem::path shaders, MovingSources sources = {});

  ~PanelExporter();
  PanelExporter(const PanelExporter&) = delete;
  PanelExporter& operator=(const PanelExporter&) = delete;

  /// A frame's share of it. Between ImGui's frames only. `recorded`: see PanelStudio::draw(). Throws
  /// render::ContextError if OpenGL draws no more; what was begun is no file then.
  void update(AppState& state, render::RecordedValues* recorded);
  /// Where update() has nothing to do before more is written or swept: waits for that. Asked to stop, it ends soon, and
  /// nothing more is written.
  void wait(const std::stop_token& stop);
  [[nodiscard]] bool busy() const { return job_ != nullptr; }

 private:
  struct Job;
  /// Of the writing thread: one after the other. Whether the file is there now.
  using Task = std::function<bool()>;

  void begin(AppState& state);
  void stop();
  void goOn(AppState& state, render::RecordedValues* recorded);
  [[nodiscard]] bool mayDraw() const;
  /// The field has been swept as far as the next picture wants, and rests.
  [[nodiscard]] bool swept(AppState& state);
  void move(AppState& state);
  void drawPage(AppState& state, render::RecordedValues* recorded);
  void drawNext(AppState& state, render::RecordedValues* recorded);
  void end(AppState& state);

  render::Context& context_;
  std::vector<std::filesystem::path> fonts_;
  std::filesystem::path shaders_;
  MovingSources sources_;
  std::unique_ptr<PanelStudio> studio_;
  std::unique_ptr<Job> job_;
  work::Worker<Task, bool> writer_;
};

}  // namespace haloscope
