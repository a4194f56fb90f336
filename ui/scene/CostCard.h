#pragma once

#include "state/CostsShown.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// What the launch costs, beside the block: a row for each number, on a scale that stays, with its value before the
/// last change.
class CostCard {
 public:
  CostCard(const CostsShown& costs, const Theme& theme) : costs_(costs), theme_(theme) {}

  /// 0: nothing is known.
  [[nodiscard]] float width() const;
  [[nodiscard]] float height() const;
  void draw(ImVec2 at) const;

 private:
  const CostsShown& costs_;
  const Theme& theme_;
};

}  // namespace haloscope::ui
