#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "render/Context.h"
#include "render/Image.h"
#include "render/SceneRenderers.h"
#include "state/AppState.h"
#include "ui/export/DrawnSvg.h"
#include "ui/source/SourceEditor.h"
#include "ui/widgets/Theme.h"

struct ImGuiContext;
struct ImPlotContext;

namespace haloscope {

/// Draws one panel as a page of its own, in any size, beside the window's frames: with an ImGui of its own, so that
/// neither the window's layout nor its input is touched. Shares the window's OpenGL context, before which it must go.
class PanelStudio {
 public:
  /// `fonts`, `shaders`: as AppOptions has them.
  PanelStudio(render::Context& main, const std::vector<std::filesystem::path>& fonts,
              const std::filesystem::path& shaders);
  ~PanelStudio();
  PanelStudio(const PanelStudio&) = delete;
  PanelStudio& operator=(const PanelStudio&) = delete;

  /// Draws the page of a plan as the state has it now, until it keeps still. `recorded`: the GPU's values, if the
  /// window's scene shows them. Between the window's frames only.
  void draw(AppState& state, const ExportPlan& plan, render::RecordedValues* recorded);
  /// Whether the panel that was drawn last has more to show than a picture has room for, although all was wanted.
  [[nodiscard]] bool isCut() const { return cut_; }
  /// What was drawn last: `width`×`height` of the plan, times its scale; higher if all was wanted. Not for SVG.
  /// As OpenGL has them: see upright().
  [[nodiscard]] render::Image pixels() const;
  /// Such pixels as a picture, opaque and with the top row first. Takes a while where there are many; on any thread.
  [[nodiscard]] static render::Image upright(render::Image pixels);
  /// ... as vector graphics; of a plan for SVG alone.
  [[nodiscard]] ui::DrawnSvg svg(const AppState& state, const ExportPlan& plan) const;

 private:
  class Here;
  void makeTarget(int width, int height);
  void layOut(AppState& state, const ExportPlan& plan);
  void drawFrame(AppState& state, const ExportPlan& plan);

  render::Context& main_;
  ImGuiContext* imgui_ = nullptr;
  ImPlotContext* implot_ = nullptr;
  ui::Theme theme_;
  bool themed_ = false;
  render::SceneRenderers scenes_;
  std::unique_ptr<ui::SourceEditor> editor_;
  std::uint32_t framebuffer_ = 0, texture_ = 0;
  int targetWidth_ = 0, targetHeight_ = 0;
  int width_ = 0, height_ = 0;  ///< of the page that was drawn last
  bool cut_ = false;
};

}  // namespace haloscope
