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

}  // namespace haloscope
