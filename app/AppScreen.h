#pragma once

#include "commands/Screen.h"

namespace haloscope {

/// Draws with an App.
class AppScreen final : public Screen {
 public:
  void show(AppState state, const WindowOptions& options) override;
  void draw(const AppState& state, const PictureOptions& options) override;
};

}  // namespace haloscope
