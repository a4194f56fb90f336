#pragma once

#include "lessons/Course.h"
#include "lessons/CourseTest.h"
#include "lessons/Lesson.h"
#include "state/AppState.h"

/// What a reader's clicks set in the window.
namespace haloscope {

/// The lesson on screen; nullptr: the map of the course is.
[[nodiscard]] const lessons::Lesson* shownLesson(const AppState& state);

/// Opens a lesson: the window shows its kernel. An id that the course does not have opens the map.
void openLesson(AppState& state, const std::string& id);
/// For a key each.
void openNextLesson(AppState& state);
void openPreviousLesson(AppState& state);
void openCourseMap(AppState& state);

/// Begins the course's test, with new numbers. Nothing, if the course has none.
void openTest(AppState& state, lessons::TestTime time);
/// Judges the answers of the test on screen and keeps what came of it, unless one cannot be judged or its question is
/// not executed yet.
void finishTest(AppState& state);
[[nodiscard]] bool isTest(const AppState& state, const lessons::Lesson& lesson);
/// The test on screen was judged.
[[nodiscard]] bool testFinished(const AppState& state);

/// Sets what the link names at once; its place in the execution as soon as that is on screen (see followLesson()).
void followLink(AppState& state, const lessons::WindowLink& link);
/// Once a frame, after followScene(): nothing else was chosen since the link that is marked was followed, or the mark
/// goes.
void followLesson(AppState& state);

/// An animation in the text, made when its execution is there; nullptr until then.
[[nodiscard]] StepsPlayer* playerOf(AppState& state, const lessons::Lesson& lesson, std::size_t steps);
/// Lets time pass for those that play. They stop when another lesson is opened.
void walkSteps(AppState& state, double seconds);
/// Until walkSteps() moves one of them; infinity: none plays.
[[nodiscard]] double secondsToNextOfSteps(const AppState& state);
/// The window goes to where the animation is now.
void showInWindow(AppState& state, const lessons::Lesson& lesson, std::size_t steps);

}  // namespace haloscope
