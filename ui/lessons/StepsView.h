#pragma once

#include <cstddef>
#include <optional>

#include "lessons/Lesson.h"
#include "render/SceneRenderers.h"
#include "state/AppState.h"
#include "ui/lessons/PageText.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// An animation of a lesson: a small block of its own, with what plays it. Returns the link in its caption that was
/// clicked on.
std::optional<std::size_t> drawSteps(AppState& state, const Theme& theme, render::SceneRenderers& scenes,
                                     const lessons::Lesson& lesson, std::size_t steps, PageText& text, float width);

}  // namespace haloscope::ui
