#pragma once

#include <cstddef>
#include <string>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// What the launch costs, beside the block: a row for each number, on a scale that stays, with its value before the
/// last change.
class CostCard {
 public:
  /// As many of its rows as fit into `most` pixels, the first ones.
  CostCard(const AppState& state, const Theme& theme, float most);

  /// 0: nothing is known.
  [[nodiscard]] float width() const;
  [[nodiscard]] float height() const;
  void draw(ImVec2 at) const;

 private:
  /// What distinguishes the launch before the last change from that on screen: "IN_TILE_DIM 8 → 16".
  [[nodiscard]] std::string change() const;

  const AppState& state_;
  const Theme& theme_;
  std::size_t rows_ = 0;
};

}  // namespace haloscope::ui
