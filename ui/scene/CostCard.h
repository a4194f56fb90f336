#pragma once

#include <cstddef>
#include <string>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// What the launch costs, beside the block: numbers, each on a scale that stays, with its value before the last change.
/// A click opens the tuning map.
class CostCard {
 public:
  /// As many of its rows as fit into `most` pixels, the first ones.
  CostCard(AppState& state, const Theme& theme, float most);

  /// 0: nothing is known.
  [[nodiscard]] float width() const;
  [[nodiscard]] float height() const;
  /// `keys`: that open the tuning map, in words.
  void draw(ImVec2 at, const std::string& keys) const;

 private:
  /// What distinguishes the launch before the last change from that on screen: "IN_TILE_DIM 8 → 16".
  [[nodiscard]] std::string change() const;
  // `index`: of the number, in the order of reading.
  void drawQuantity(std::size_t index, ImVec2 at, float width, const std::string& keys) const;
  /// `before`: null where the number did not change.
  void drawTrack(std::size_t index, ImVec2 at, float width, const Costs* before) const;
  void drawTooltip(std::size_t index, const std::string& text, const std::string& old, const std::string& keys) const;
  [[nodiscard]] std::string nameOf(std::size_t index) const;
  /// Of a measured time: "± 0.5 %".
  [[nodiscard]] std::string spreadText() const;

  AppState& state_;
  const Theme& theme_;
  std::size_t rows_ = 0;
};

}  // namespace haloscope::ui
