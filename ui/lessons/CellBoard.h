#pragma once

#include "lessons/Attempt.h"
#include "lessons/LessonFacts.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The cells that a question is about, of which some are chosen by clicking; those of a revealed answer are outlined
/// where they are missing. True if one was clicked on.
bool drawCellBoard(const Theme& theme, const lessons::AskedQuestion& asked, lessons::Attempt& attempt, float width);

}  // namespace haloscope::ui
