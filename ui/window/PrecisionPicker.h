#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The macro of a text that is run in one of several types, and the list of these. Writes AppState::choice.
class PrecisionPicker {
 public:
  PrecisionPicker(const Theme& theme, const KernelFile& file) : theme_(theme), file_(file) {}

  /// 0 where the text has its types.
  [[nodiscard]] float width() const;
  void draw(AppState& state) const;

 private:
  [[nodiscard]] float boxWidth() const;

  const Theme& theme_;
  const KernelFile& file_;
};

}  // namespace haloscope::ui
