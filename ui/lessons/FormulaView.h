#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "lessons/FormulaLayout.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The pieces of a formula, set in the window's fonts. One that cannot be read becomes its own text.
[[nodiscard]] std::vector<lessons::FormulaPicture> layFormula(const Theme& theme, const std::string& tex, float size,
                                                              bool display);

/// Draws a formula from the left end of its baseline.
void drawFormula(ImDrawList* list, const Theme& theme, const lessons::FormulaPicture& picture, ImVec2 baseline,
                 ImU32 colour);

}  // namespace haloscope::ui
