#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "state/Scene.h"

namespace haloscope {

/// The scenes of a lecture, in their order, and the one that is on screen. See documents/SessionFile.h for its file.
struct Session {
  std::filesystem::path path{};  ///< absolute; empty: it has no file yet
  std::string fileText{};        ///< what its file holds, as far as is known
  std::vector<Scene> scenes{};
  std::size_t current = 0;                           ///< the scene that was shown or recorded last
  std::uint64_t revision = 0;                        ///< counts changes of the scenes
  std::uint64_t saved = 0;                           ///< the revision that its file holds
  bool changedLast = false;                          ///< the scenes were changed after the text on screen
  std::string message{};                             ///< the result of the last change
  bool missing = false;                              ///< the current scene could not be shown
  bool listed = false;                               ///< the list of scenes is on screen
  std::vector<std::vector<Scene>> undone{}, done{};  ///< the scenes before changes, the newest last
  std::optional<std::size_t> described{};            ///< the scene whose words were changed last, and nothing since

  [[nodiscard]] bool changed() const { return revision != saved; }
  [[nodiscard]] const Scene* shown() const { return current < scenes.size() ? &scenes[current] : nullptr; }
};

inline constexpr const char* kSessionEnding = ".halo";
/// By the name's ending.
[[nodiscard]] bool isSession(const std::filesystem::path& path);
/// "lecture.halo"; "scenes" without a file.
[[nodiscard]] std::string nameOf(const Session& session);

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
