#pragma once

#include "FigureWork.h"

namespace haloscope {

/// What the selected thread's warp needs, once the shape of the kernel is known. Quick enough to be done in the frame
/// in which it changes.
class LayoutFigureWork final : public FigureWork {
 public:
  void update(AppState& state) override;
  void settle(AppState& state) override { update(state); }
  [[nodiscard]] bool busy() const override { return false; }
};

}  // namespace haloscope
