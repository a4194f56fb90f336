#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "state/ChoiceHistory.h"
#include "state/OpenedLaunch.h"

namespace haloscope {

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
