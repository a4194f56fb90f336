#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "frontend/CodeText.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The lines of a kernel's text from `firstLine`, of which one is chosen by clicking. Returns the line that was clicked
/// on. `ground` lies below the chosen one.
std::optional<int> drawLineBoard(const Theme& theme, CodeReader& reader, const std::string& text, int firstLine,
                                 std::optional<int> chosen, ImU32 ground, float width);

}  // namespace haloscope::ui
