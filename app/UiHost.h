#pragma once

#include <string>

#include "render/Context.h"

struct ImGuiContext;
struct ImPlotContext;

namespace haloscope {

/// Dear ImGui and ImPlot on a rendering context: owns their contexts and back ends. Input comes from the window or,
/// offscreen, from the caller, who adds events to ImGui's queue.
class UiHost {
 public:
  /// `settings`: ImGui's file of panel places; empty: nothing is read or written, as pictures and tests need it.
  UiHost(render::Context& context, std::string settings);
  ~UiHost();
  UiHost(const UiHost&) = delete;
  UiHost& operator=(const UiHost&) = delete;

  /// Begins ImGui's frame; `seconds` since the last one.
  void beginFrame(double seconds);
  /// Ends it and draws it into the context's framebuffer, which is the one bound.
  void endFrame();

  /// True if the window has sent input that no frame has seen yet.
  [[nodiscard]] bool inputWaits() const;

 private:
  render::Context& context_;
  std::string settings_;
  ImGuiContext* imgui_ = nullptr;
  ImPlotContext* implot_ = nullptr;
};

/// The type scale that suits a display: 1 at 1280×720, 1.25 at 1920×1080, 2 at 4K; never below what the display's own
/// scale asks for, which is `contentScale` in pixels per 1/96 inch.
[[nodiscard]] float typeScale(int width, int height, float contentScale);

}  // namespace haloscope
