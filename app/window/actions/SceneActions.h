#pragma once

#include "state/Scene.h"

/// Scenes: what the window shows becomes one, and one becomes what the window shows.
namespace haloscope {

struct AppState;

/// What the window shows now, without title and note. Throws InputError for a program that needs files, which no scene
/// can bring along.
[[nodiscard]] Scene captureScene(const AppState& state);

/// Sets what the scene names at once; its place in the execution follows when that is there (followScene()). Texts stay
/// as they are.
void arrange(AppState& state, const Scene& scene, bool ofLesson = false);
/// As arrange(), with the scene's texts. A text of the user's that is kept nowhere else becomes a variant of its own.
/// Throws InputError for a variant or a problem that is not there; nothing is changed then.
void showScene(AppState& state, const Scene& scene);

/// Once a frame.
void followScene(AppState& state);
/// The user has chosen something else since; the order of the warps alone changes no place.
[[nodiscard]] bool leftScene(const AppState& state);

}  // namespace haloscope
