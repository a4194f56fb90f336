#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "documents/Memory.h"
#include "documents/TextKeeper.h"
#include "state/AppState.h"

namespace haloscope {

/// Opens and saves texts, and follows the changes that other programs make to their files. Nothing typed is ever lost:
/// the user chooses between two versions of a text, and text that is not in its file is in the recovery folder.
class Documents {
 public:
  /// `memory`: the folder for data kept between runs, empty for none; `wake` is called from another thread when
  /// update() has something to do.
  Documents(AppState& state, const std::filesystem::path& memory, std::function<void()> wake);

  /// Call once a frame. Never blocks.
  void update(AppState& state);
  /// Blocks until all requests are carried out, and updates the state.
  void settle(AppState& state);
  /// Seconds until typed text must be written to the recovery folder; very large if there is none.
  [[nodiscard]] double secondsToNextKeep() const;

  /// Opens a text as a new variant and selects it. If the file is already open, its variant is selected and takes the
  /// text as that of its file.
  void openText(AppState& state, const std::filesystem::path& path, const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;

  /// Opens the text with what the command line said about its launch.
  void openText(AppState& state, const OpenedText& opened);
  void restoreFound(AppState& state);
  void receive(AppState& state, const TextKeeper::Event& event);
  void carryOutRequests(AppState& state);
  void decideConflict(AppState& state, WorkingCopy& copy);
  void decideFound(AppState& state);
  void save(AppState& state, WorkingCopy& copy);
  void saveSession(AppState& state, const std::filesystem::path& path);
  /// Of the session's file or of the copy that is kept of it. True if the event was about them.
  bool receiveSession(AppState& state, const TextKeeper::Event& event);
  void keepSession(AppState& state, bool now);
  /// Another session takes the place of the one on screen, as soon as the scenes that were not saved are kept.
  void changeSession(AppState& state);
  /// False: what was found is no session.
  bool restoreSession(AppState& state, const WorkingCopy& found);
  void keepTyped(AppState& state, bool now);
  /// Has written what is kept between runs and has changed.
  void remember(AppState& state);
  [[nodiscard]] const Memory& launches() const { return memories_.front(); }

  bool keeps_;                    ///< something between runs
  std::string sessionId_;         ///< in the recovery folder
  std::vector<Memory> memories_;  ///< the launches' first
  TextKeeper keeper_;
  std::filesystem::path watched_;
  std::map<std::string, std::uint64_t> kept_;  ///< the revisions last handed to the keeper; 0: nothing to keep
  std::optional<Clock::time_point> keepAt_;
  // Its revision that the recovery folder is to have, has, and cannot have; 0: none.
  std::uint64_t sessionToKeep_ = 0, sessionKept_ = 0, sessionNotKept_ = 0;
  std::optional<Clock::time_point> sessionKeepAt_;
  std::optional<ReadSession> nextSession_;
  struct SessionSave {
    std::filesystem::path path;
    std::uint64_t revision = 0;
  };
  std::optional<SessionSave> sessionSave_;  ///< under way
};

}  // namespace haloscope
