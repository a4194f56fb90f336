#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "opening/OpenedFile.h"
#include "state/ChoiceHistory.h"

namespace haloscope {

/// A file named on the command line.
struct OpenedText {
  std::filesystem::path path;  ///< absolute
  std::string text;
  opening::LaunchOverrides overrides{};  ///< of its launch, from the command line
  std::string kernel{};                  ///< which of its kernels; empty: the first
};

/// How an opened file is launched: what was assumed, and what the user sets instead.
struct OpenedLaunch {
  opening::LaunchOverrides overrides;
  std::string kernel;                                 ///< which of the file's; empty: the first
  std::vector<std::string> arguments{};               ///< of its main(), as a scene gives them
  std::vector<std::string> kernels;                   ///< all of them, once read
  std::vector<std::string> assumptions;               ///< a sentence each
  std::vector<opening::MissingValue> missing;         ///< names that the text uses and does not declare
  std::optional<opening::ExecutedLaunch> executed{};  ///< the program's own launch of it, which the others follow
  std::uint64_t revision = 0;                         ///< counts changes of the overrides and the kernel
  std::uint64_t readRevision = 0;                     ///< the revision with which the catalogue's entry was read
  std::uint64_t readProgram = 0;                      ///< ... and ProgramView::revision
};

/// The state of the editor.
struct Editing {
  bool open = false;                 ///< the source panel shows the editor instead of the read-only view
  bool focused = false;              ///< keys are typed into it
  int line = 0;                      ///< where the caret is, or is to be when the editor opens; 0: at the kernel
  std::string message;               ///< the result of the last save
  bool failed = false;               ///< ... it was not saved
  std::vector<std::string> found;    ///< variants whose text an earlier run of the program left unsaved
  std::vector<std::string> notices;  ///< a sentence each, until the user has read it

  /// A mending that was put into the text on screen.
  struct TriedFix {
    std::string id;  ///< the variant
    std::string before, after;
    Chosen chosen;  ///< meanwhile
  };
  std::vector<TriedFix> tried;      ///< the newest last
  std::vector<TriedFix> takenBack;  ///< of them, to be tried again; the last taken back is last

  /// Says it once, however often it is asked for.
  void notify(const std::string& sentence) {
    if (std::ranges::find(notices, sentence) == notices.end()) { notices.push_back(sentence); }
  }
};

/// Requests of the user about sources and files. Consumed by the App.
struct FileRequests {
  bool save = false;
  bool revert = false;        ///< back to the file's text
  bool keepMine = false;      ///< of two changed texts, the one here
  bool takeOutside = false;   ///< ... or the file's
  bool discardFound = false;  ///< what an earlier run left: back to the files
  bool keepFound = false;     ///< ... it stays
  std::optional<std::filesystem::path> saveAs;
  std::optional<std::filesystem::path> open;
  std::optional<std::filesystem::path> saveSession;  ///< to this file
  bool newSession = false;                           ///< in place of the one on screen
  std::optional<OpenedText> text;                    ///< of a file that has been read; opened as the window opens
};

}  // namespace haloscope
