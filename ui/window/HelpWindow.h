#pragma once

#include <map>
#include <string>

#include "lessons/Lesson.h"
#include "render/PictureTexture.h"
#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The manual, with the keys and the words, and what this program is; while they are open.
class HelpWindow {
 public:
  void draw(AppState& state, const Theme& theme);

 private:
  void drawManual(AppState& state, const Theme& theme);
  void drawPage(AppState& state, const Theme& theme, const lessons::Lesson& page);
  void drawPicture(const Theme& theme, const lessons::Block& picture, float width);

  std::string shown_;                                   ///< the page whose pictures are kept
  std::map<std::string, render::PictureTexture> kept_;  ///< by path
};

}  // namespace haloscope::ui
