#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "language/Language.h"
#include "live/LaunchDataRunner.h"
#include "live/ProgramRunner.h"
#include "state/AppState.h"

namespace haloscope {

/// Has the program of the opened file or folder executed, again whenever one of its texts changes, and the data of the
/// selected launch fetched. Only settle() waits.
class LiveProgram {
 public:
  /// Without a function that runs programs none is executed.
  LiveProgram(work::Pool& pool, ProgramRunner::Execution execution);

  /// Once a frame: takes what was executed, and asks for another program when something else is opened. `typing`: the
  /// text is about to change again.
  void update(AppState& state, bool typing);
  /// Waits for the program's end, if its panel is in front or a picture needs it.
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return runner_.busy() || fetcher_.busy(); }

 private:
  /// What a run depends on.
  struct Asked {
    std::filesystem::path file, folder;
    std::map<std::string, std::uint64_t> revisions;  ///< of the texts that differ from their files, by variant
    std::map<std::string, std::string> defines;      ///< that its launch is given
    std::vector<std::string> arguments{};            ///< that a scene gives it
    std::string gpu;
    Language language = Language::English;  ///< of what is said about it

    bool operator==(const Asked&) const = default;
  };

  [[nodiscard]] Asked wanted(const AppState& state) const;
  /// Has what is wanted now executed, if that is not what was asked for last.
  void ask(AppState& state);
  void receive(AppState& state);
  void show(ProgramRunner::Result result, AppState& state);
  void followLaunch(AppState& state);

  const bool possible_;
  ProgramRunner runner_;
  LaunchDataRunner fetcher_;
  std::optional<WantedLaunch> followed_;  ///< whose data were asked for
  std::optional<Asked> asked_;
  std::shared_ptr<const running::CompiledHost> compiled_;  ///< the last host half: an edit of a kernel leaves it alone
  bool ofFolder_ = false;                                  ///< the last result is the folder's program
  std::chrono::steady_clock::time_point askedAt_;
};

}  // namespace haloscope
