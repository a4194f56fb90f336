#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "language/Text.h"
#include "running/NamedFile.h"
#include "running/ProgramFiles.h"
#include "running/ProgramRun.h"
#include "state/ProgramFaults.h"
#include "state/ProgramTimeline.h"

namespace haloscope {

/// A program that was executed, to its end or as far as it came.
struct ShownProgram {
  std::string title;  ///< its file, or its folder
  running::ProgramFiles files{};
  running::ProgramRun run{};
  std::vector<std::string> names;  ///< of its allocations
  ProgramTimeline timeline{};
  std::vector<ProgramFault> faults{};  ///< see faultsOf()
  /// What arrays hold at the first launch of each kernel, by its index in the run, as far as they are small.
  std::map<std::size_t, std::shared_ptr<const LaunchData>> firstData{};
  running::RunDevice device;
  std::vector<std::string> arguments;      ///< with which it was executed
  std::vector<running::NamedFile> opened;  ///< that it could open
  bool judged = false;                     ///< what its kernels computed was compared, see judging::judge()
};

/// The program of the opened file or folder. Panels write the requests; the App has it executed and keeps the result.
struct ProgramView {
  std::shared_ptr<const ShownProgram> executed;  ///< the last one; null before the first
  std::string missing = tr("Open a .cu file that has a main(): its program is executed, and its calls are shown here.");
  running::RunProgress progress;  ///< of what is running
  double seconds = 0;             ///< that it has taken so far
  bool running = false;
  bool comparing = false;        ///< of what runs only the comparison is left: `executed` is not judged yet
  bool fetching = false;         ///< data of a launch are on their way
  std::filesystem::path folder;  ///< that was opened as a whole; empty: none
  bool allowed = true;           ///< host code may be executed
  bool current = true;           ///< `executed`, or what runs, is the program of what is on screen
  bool awaited = false;          ///< a picture waits for what it did
  bool cancel = false;           ///< requested; consumed by the App
  bool folded = true;            ///< long repetitions take little room
  /// Of the program that the command line names: another one is executed without them.
  std::vector<std::string> arguments;
  std::vector<running::NamedFile> files;

  std::optional<std::size_t> column;       ///< the selected one
  std::optional<host::HostPlace> place;    ///< of a fault that was chosen: the source shows it instead of the call
  std::shared_ptr<const LaunchData> data;  ///< of the launch that is shown, see shownLaunch(); null: not there
  std::string noData;                      ///< why the selected launch has none, a sentence
  std::uint64_t runs = 0;                  ///< counts what was `executed`; judged later, it is still the same
  std::uint64_t revision = 0;              ///< counts changes of what is known of launches: `executed`, `data`
};

}  // namespace haloscope
