#pragma once

#include <imgui.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <functional>
#include <memory>
#include <string>

#include "App.h"
#include "render/Image.h"

namespace haloscope::test {

/// A panel's window in the workspace that is on screen; null: it was never drawn there.
[[nodiscard]] ImGuiWindow* windowOf(const AppState& state, Tab tab);
/// ... and its path for the test engine: "//###Walk Memory".
[[nodiscard]] std::string pathOf(const AppState& state, Tab tab);

/// The first pixel that shows a cell, at half the height of the item `scene`, from one share of its width to another.
[[nodiscard]] ImVec2 firstCell(ImGuiTestContext* user, const AppState& state, const char* scene, float from, float to);

/// A whole App on an offscreen context, with Dear ImGui's test engine as its user: it clicks widgets by name and
/// presses keys. Only the frame of a picture() is rasterised: the software renderer takes most of a frame's time, and
/// panels, scene and pointer do not depend on pixels.
class UiDriver {
 public:
  using User = std::function<void(ImGuiTestContext*)>;

  /// `change` may turn what the App starts with.
  explicit UiDriver(const std::function<void(AppOptions&)>& change = {});
  ~UiDriver();
  UiDriver(const UiDriver&) = delete;
  UiDriver& operator=(const UiDriver&) = delete;

  /// Lets `user` act while frames go by. False if something was not found or a check failed; the log is printed.
  bool act(const User& user);
  /// Waits for what has been chosen, and for the panels to show it.
  void settle() { app_->settle(); }
  /// The window's pixels, with all that has been chosen.
  [[nodiscard]] render::Image picture();

  [[nodiscard]] AppState& state() { return app_->state(); }
  [[nodiscard]] App& app() { return *app_; }

 private:
  std::unique_ptr<App> app_;
  ImGuiTestEngine* engine_ = nullptr;
  int acts_ = 0;
};

}  // namespace haloscope::test
