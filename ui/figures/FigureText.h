#pragma once

#include <string_view>

#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// A sentence of a figure, wrapped to its width.
void figureSentence(const Theme& theme, ImU32 colour, std::string_view text);
/// The line above a figure: what it shows, wrapped to its width.
void figureTitle(const Theme& theme, std::string_view text);

}  // namespace haloscope::ui
