#pragma once

#include "lessons/Course.h"
#include "lessons/Lesson.h"
#include "state/AppState.h"

/// What a reader's clicks set in the window.
namespace haloscope::lessons {

/// The lesson on screen; nullptr: the map of the course is.
[[nodiscard]] const Lesson* shownLesson(const AppState& state);

/// Opens a lesson: the window shows its kernel. An id that the course does not have opens the map.
void openLesson(AppState& state, const std::string& id);
/// For a key each.
void openNextLesson(AppState& state);
void openPreviousLesson(AppState& state);
void openCourseMap(AppState& state);

/// Sets what the link names at once; its place in the execution as soon as that is on screen (see followLesson()).
void followLink(AppState& state, const WindowLink& link);
/// Plays from one moment to another, in the window's own scene.
void playSteps(AppState& state, const Lesson& lesson, const StepsBlock& steps);
/// Once a frame: goes to the place of the link that was followed last once its block has been executed; stops an
/// animation at its end.
void followLesson(AppState& state);

}  // namespace haloscope::lessons
