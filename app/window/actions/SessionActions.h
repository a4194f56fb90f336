#pragma once

#include <cstddef>
#include <filesystem>

#include "state/Scene.h"
#include "state/Session.h"

/// The list of scenes: recorded, reordered, described, shown, saved.
namespace haloscope {

struct AppState;

/// Adds what the window shows after the current scene.
void recordScene(AppState& state);
/// The current scene shows from now on what the window shows; its words stay.
void recordAgain(AppState& state);
void deleteScene(AppState& state, std::size_t index);
/// Moves a scene `by` places; it stays within the list.
void moveScene(AppState& state, std::size_t index, int by);
/// Words and hall of a scene.
void describeScene(AppState& state, std::size_t index, const Scene& described);
void undoSceneChange(AppState& state);
void redoSceneChange(AppState& state);

/// Shows a scene; where it cannot be shown, AppState::problem says why. Nothing without such a scene.
void goToScene(AppState& state, std::size_t index);
void goToNextScene(AppState& state);  ///< none after the last
void goToPreviousScene(AppState& state);

/// Takes the place of the session, and shows its first scene.
void openSession(AppState& state, Session session);
void toggleScenes(AppState& state);
/// Saves the session, or asks for a name: of a new one, and of one that comes with the program.
void saveSession(AppState& state);
[[nodiscard]] bool isShipped(const AppState& state, const std::filesystem::path& session);
/// Closes the session and begins a new one. Scenes that were not saved are kept.
void newSession(AppState& state);

}  // namespace haloscope
