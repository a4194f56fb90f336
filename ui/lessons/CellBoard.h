#pragma once

#include <cstdint>
#include <set>

#include "lessons/LessonFacts.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The cells that a question is about, of which some are chosen by clicking. True if one was clicked on.
bool drawCellBoard(const Theme& theme, const lessons::AskedQuestion& asked, std::set<std::int64_t>& chosen, bool right,
                   float width);

}  // namespace haloscope::ui
