#pragma once

#include <imgui.h>
#include <implot.h>

#include <string>
#include <utility>
#include <vector>

#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// ImPlot axes with custom-drawn curves, as an item reachable by keyboard. Draw the curves between the constructor and
/// end(); a canvas that is too small is not open and draws nothing.
class PlotCanvas {
 public:
  struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    std::vector<std::pair<double, std::string>> ticks{};  ///< if empty, ImPlot's default ticks
  };

  PlotCanvas(const char* id, ImVec2 size, const Axis& x, const Axis& y, const Theme& theme);
  /// As wide as makes a unit along x as long as one along y, up to `width`. Neither axis is logarithmic.
  static PlotCanvas trueToScale(const char* id, float width, float height, const Axis& x, const Axis& y,
                                const Theme& theme);
  ~PlotCanvas();
  PlotCanvas(const PlotCanvas&) = delete;
  PlotCanvas& operator=(const PlotCanvas&) = delete;

  [[nodiscard]] bool open() const { return open_; }
  [[nodiscard]] ImVec2 place(double x, double y) const;
  [[nodiscard]] ImDrawList* list() const { return list_; }
  [[nodiscard]] ImVec2 min() const { return min_; }
  [[nodiscard]] ImVec2 max() const { return max_; }

  void line(const std::vector<ImVec2>& places, ImU32 colour, float width) const;
  void dashed(ImVec2 from, ImVec2 to, ImU32 colour) const;
  void dot(ImVec2 at, ImU32 colour, float radius = 2.5F) const;

  /// Ends the drawing. True if the plot is hovered or focused, so that values should be shown.
  bool end();
  /// After end(): the position nearest to the mouse; by keyboard the first.
  [[nodiscard]] std::size_t nearest(const std::vector<ImVec2>& places) const;
  /// After end(): draws a ring around a position.
  void mark(ImVec2 at) const;

 private:
  PlotCanvas(const char* id, ImVec2 size, const Axis& x, const Axis& y, const Theme& theme, ImPlotFlags flags);

  const Theme& theme_;
  const char* id_;
  ImVec2 corner_, size_;
  bool open_ = false;
  ImDrawList* list_ = nullptr;
  ImVec2 min_{}, max_{};
};

}  // namespace haloscope::ui
