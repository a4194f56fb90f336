#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "render/Context.h"
#include "state/AppState.h"
#include "ui/widgets/Theme.h"

struct ImGuiContext;
struct ImPlotContext;

namespace haloscope {

/// The lecturer's own window beside a presentation: notes, time, the next scene, and what the presentation would show
/// while its picture is frozen. On another monitor where there is one. It shares the main window's OpenGL objects.
class NotesWindow {
 public:
  /// Without a window system there is none: see shown().
  NotesWindow(render::Context& main, std::vector<std::filesystem::path> fonts);
  ~NotesWindow();
  NotesWindow(const NotesWindow&) = delete;
  NotesWindow& operator=(const NotesWindow&) = delete;

  [[nodiscard]] bool shown() const;
  /// Draws a frame into it. `live`: a texture of that size; 0: the presentation shows it itself.
  void draw(AppState& state, std::uint32_t live, int width, int height);

 private:
  render::Context& main_;
  GLFWwindow* window_ = nullptr;
  ImGuiContext* imgui_ = nullptr;
  ImPlotContext* implot_ = nullptr;
  ui::Theme theme_;
  float scale_ = 0;
};

}  // namespace haloscope
