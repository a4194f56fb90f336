#pragma once

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// A size or a tunable of a variant: its name, its value in a box to type into, a slider, its range. Where there is
/// little room the range is only in the tooltip, and then the slider goes.
struct Knob {
  std::string name;
  std::string meaning;
  std::int64_t minimum = 0, maximum = 1;
  std::int64_t sliderMinimum = 0, sliderMaximum = 1;  ///< the slider has less than what may be typed

  struct Room {
    float slider = 84;  ///< at scale 1; 0: none
    bool range = true;
  };
  [[nodiscard]] float width(const Theme& theme, const Room& room) const;
  /// Writes AppState::choice.
  void draw(AppState& state, const Theme& theme, const KernelFile& file, const Room& room) const;

 private:
  [[nodiscard]] std::string rangeText() const;
  [[nodiscard]] float boxWidth(const Theme& theme) const;
  bool valueBox(const Theme& theme, std::int64_t& value) const;
  void tooltip(const Theme& theme, const std::string& use) const;
};

/// Of the variant: its tunables, then its sizes.
[[nodiscard]] std::vector<Knob> knobsOf(const KernelFile& file, const experiment::Choice& choice);

}  // namespace haloscope::ui
