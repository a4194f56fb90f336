#pragma once

#include <imgui.h>

#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// A raised ground below what is drawn while it lives.
class Card {
 public:
  Card(const Theme& theme, float width);
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  [[nodiscard]] static ImU32 ground(const Theme& theme);
  [[nodiscard]] float inside() const { return inside_; }  ///< width of its content

 private:
  const Theme& theme_;
  ImVec2 min_;
  float width_, inside_;
};

}  // namespace haloscope::ui
