#pragma once

#include <imgui.h>

#include <string>
#include <vector>

namespace haloscope::test {

/// What is written in the last frame and cannot be read: a text that its window or cell cuts off at a side, and two
/// texts of a window on top of each other. Found from what is drawn, glyph by glyph, so that no panel has to take part.
/// Each names the window and the pixels.
[[nodiscard]] std::vector<std::string> unreadableTexts(const ImDrawData& drawn);
/// Of these, the texts that are cut off. For pages with formulas, where a fraction's parts are no further apart than
/// two texts that collide.
[[nodiscard]] std::vector<std::string> cutTexts(const ImDrawData& drawn);

}  // namespace haloscope::test
