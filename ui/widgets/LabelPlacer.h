#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <vector>

namespace haloscope::ui {

/// Labels that were placed in a rectangle of the screen, so that the next one can keep off them.
class LabelPlacer {
 public:
  LabelPlacer(ImVec2 min, ImVec2 max) : min_(min), max_(max) {}

  /// Labels keep off this rectangle.
  void block(ImVec2 min, ImVec2 max) { taken_.push_back({min, max}); }
  /// Puts a label at this place if that is free.
  bool take(ImVec2 at, ImVec2 size);
  /// A free place for a label next to a point, near it if possible.
  ImVec2 place(ImVec2 point, ImVec2 size, float reach);
  /// Says whether a label may be put with its upper left corner at a free place; empty: everywhere.
  using Suits = std::function<bool(ImVec2 at)>;
  /// As place(), or nothing where there is no free one.
  std::optional<ImVec2> tryPlace(ImVec2 point, ImVec2 size, float reach, const Suits& suits = {});
  /// The free place of the whole rectangle that is nearest to a point, looked for in steps of `apart`.
  std::optional<ImVec2> tryAnywhere(ImVec2 point, ImVec2 size, float apart, const Suits& suits = {});

 private:
  struct Box {
    ImVec2 min, max;
  };
  [[nodiscard]] bool free(ImVec2 min, ImVec2 max) const;

  ImVec2 min_, max_;
  std::vector<Box> taken_;
};

}  // namespace haloscope::ui
