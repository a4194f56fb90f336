#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/Catalogue.h"

namespace haloscope {

/// A kernel with one fault, and the same kernel without it.
struct BugTask {
  std::string id;  ///< the folder below the lab's root: "flicker"
  std::string title;
  std::string task;  ///< what the student sees: the symptom, not the cause
  std::string hint;
  KernelFile faulty, fixed;
};

/// The bug lab: tasks that are solved by finding the fault. A task is a folder with `faulty.cu` and `fixed.cu`,
/// ordinary kernel files whose headers also have a `task` and a `hint`.
class BugLab {
 public:
  /// Reads FOLDER/TASK/{faulty,fixed}.cu. Throws InputError if there is no such folder, if one of the two files of a
  /// task is missing, or a faulty kernel lacks its task or hint; SourceError for a header that cannot be read.
  static BugLab read(const std::filesystem::path& folder);

  /// In the order given by the headers.
  [[nodiscard]] const std::vector<BugTask>& tasks() const { return tasks_; }
  [[nodiscard]] const BugTask* find(const std::string& id) const;
  /// The same kernels as variants, with the ids "flicker/faulty" and "flicker/fixed".
  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }

 private:
  Catalogue catalogue_;
  std::vector<BugTask> tasks_;
};

}  // namespace haloscope
