#pragma once

#include <cstddef>
#include <optional>

#include "lessons/Lesson.h"
#include "state/AppState.h"
#include "ui/lessons/PageText.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// A question of a lesson: what is asked, the reader's answer, and whether it is right. Returns the link in its texts
/// that was clicked on.
std::optional<std::size_t> drawQuestion(AppState& state, const Theme& theme, const lessons::Lesson& lesson,
                                        std::size_t question, PageText& text, float width);

}  // namespace haloscope::ui
