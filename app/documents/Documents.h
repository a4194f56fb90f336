#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "documents/LabMemory.h"
#include "documents/RememberedLaunches.h"
#include "documents/TextKeeper.h"
#include "state/AppState.h"

namespace haloscope {

/// The variant that a file becomes when it is opened: "opened/NAME", not read yet.
[[nodiscard]] KernelFile openedVariant(const Catalogue& catalogue, const std::filesystem::path& path);

/// Carries out what a person wants done with texts and files, and what other programs do to them. Nothing typed is ever
/// lost: where two texts compete, the person chooses; what is not in its file is in the recovery folder.
class Documents {
 public:
  /// `memory`: folder of what outlives the program, empty for none; `wake` is called from another thread when update()
  /// has something to do.
  Documents(AppState& state, const std::filesystem::path& memory, std::function<void()> wake);

  /// Once a frame. Waits for nothing.
  void update(AppState& state);
  /// Blocks until files are as the wishes want them, and updates the state.
  void settle(AppState& state);
  /// Seconds until typed text is to be kept; huge when there is none.
  [[nodiscard]] double secondsToNextKeep() const;

  /// Opens a text as a variant of its own and chooses it. One that is open already is only chosen, and takes the text
  /// as its file's.
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
  void keepTyped(AppState& state, bool now);
  void rememberLaunches(AppState& state);
  void rememberLab(const AppState& state);

  RememberedLaunches launchMemory_;
  LabMemory labMemory_;
  TextKeeper keeper_;
  std::filesystem::path watched_;
  std::map<std::string, std::uint64_t> kept_;  ///< revisions that the keeper was given last; 0: nothing to keep
  std::optional<Clock::time_point> keepAt_;
};

}  // namespace haloscope
