#pragma once

#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// Axes by ImPlot with curves that are drawn by hand, as an item that the keyboard reaches too. Between the constructor
/// and end() the curves are drawn; nothing is, where the canvas is too small to be open.
class PlotCanvas {
 public:
  struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    std::vector<std::pair<double, std::string>> ticks{};  ///< none: ImPlot's own
  };

  PlotCanvas(const char* id, ImVec2 size, const Axis& x, const Axis& y, const Theme& theme);
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

  /// Ends the drawing. True if the plot is pointed at or has the keyboard's focus: when values should be shown.
  bool end();
  /// After end(): of these places the one nearest to the pointer; by keyboard the first.
  [[nodiscard]] std::size_t nearest(const std::vector<ImVec2>& places) const;
  /// After end(): a ring around a place.
  void mark(ImVec2 at) const;

 private:
  const Theme& theme_;
  const char* id_;
  ImVec2 corner_, size_;
  bool open_ = false;
  ImDrawList* list_ = nullptr;
  ImVec2 min_{}, max_{};
};

}  // namespace haloscope::ui
