#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"

/// Tasks in which a kernel is written: each is one `.cu` file, a kernel file whose header has a `make` section.
namespace haloscope::making {

/// What a solution is to reach beside a right result: `what` `relation` `bound`.
struct Goal {
  std::string what;      ///< see questions::answer(): "block.loads_per_output"
  std::string relation;  ///< "<=", ">=" or "=="
  std::string bound;     ///< the same, mostly a number: "2.4"
  std::string says;      ///< what is counted, half a sentence, in English
  std::string hint{};    ///< in English; may be empty
  SourceRange where{};   ///< in the task's file
};

/// "≤" of "<=".
[[nodiscard]] const char* signOf(const Goal& goal);

/// Texts for readers are in English; tr() translates those of the program's own tasks.
struct MakeTask {
  std::string id;  ///< "tile"
  std::filesystem::path file{};
  KernelFile
      skeleton;  ///< "make/tile": launch, arrays and definition; its text is what a student begins with, and in no file
  std::string rung{};     ///< the catalogue's variant that this task is about; empty: it has none
  std::string above{};    ///< where it has none, the one to which it adds an idea; empty: it is on no climb
  std::string lesson{};   ///< id of the one that it belongs to; may be empty
  std::string sketch{};   ///< the first help: what happens, in words
  std::string drawing{};  ///< ... as a drawing in letters; may be empty
  std::vector<std::string> outline{};          ///< the second: a comment for each step of the kernel
  std::map<std::string, std::string> hints{};  ///< the third, by the name of a kind of finding: "race-shared"
  std::vector<Goal> goals{};

  /// The hint for a kind of finding: the task's own, else what is said of this kind anywhere. In the current language.
  [[nodiscard]] std::string hintFor(const std::string& kind) const;
  /// What a goal asks for at the default sizes: "≤ 2.4"; of what only an execution tells, by its name: "= outputs".
  [[nodiscard]] std::string wanted(const Goal& goal) const;
  /// The outline as comments of a kernel, a line each. In the current language.
  [[nodiscard]] std::string outlineText() const;
};

/// Reads one task. Throws SourceError with its place for a header that cannot be read, InputError for a file that
/// cannot.
[[nodiscard]] MakeTask readMakeTask(const std::filesystem::path& file);

/// The tasks of a folder, by `order`. Throws as readMakeTask(), and InputError if there is no such folder.
[[nodiscard]] std::vector<MakeTask> readMakeTasks(const std::filesystem::path& folder);

/// Where the program's own tasks are, below the folder of its assets.
[[nodiscard]] std::filesystem::path ownTasks(const std::filesystem::path& assets);

/// Null: there is none of this id.
[[nodiscard]] const MakeTask* findTask(const std::vector<MakeTask>& tasks, const std::string& id);

/// "tile", or the path of a task's file. Throws as readMakeTask(), and InputError with the ids for any other text.
[[nodiscard]] MakeTask taskNamed(const std::vector<MakeTask>& tasks, const std::string& name);

}  // namespace haloscope::making
