#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"

namespace haloscope {

/// A kernel with one fault, and the same kernel without it.
struct BugTask {
  std::string id;  ///< the folder below the lab's root: "flicker"
  std::string title;
  std::string task;  ///< what the student sees: the symptom, not the cause
  std::string hint;
  KernelFile faulty, fixed;
  std::string lesson{};  ///< id of the one that it belongs to
  int difficulty = 1;    ///< 1 to 3
};

/// The bug lab: tasks that are solved by finding the fault. A task is a folder with `faulty.cu` and `fixed.cu`,
/// ordinary kernel files whose headers also have a `task` and a `hint`; `course.yaml` gives the tasks their order, the
/// lesson that each belongs to and its difficulty.
class BugLab {
 public:
  /// Reads FOLDER/TASK/{faulty,fixed}.cu and FOLDER/course.yaml. Throws InputError if there is no such folder, if one
  /// of the two files of a task is missing, or a faulty kernel lacks its task or hint; SourceError for a header that
  /// cannot be read, and for a course that leaves a task out or names one that there is not.
  static BugLab read(const std::filesystem::path& folder);

  /// In the order of the course.
  [[nodiscard]] const std::vector<BugTask>& tasks() const { return tasks_; }
  [[nodiscard]] const BugTask* find(const std::string& id) const;
  /// The same kernels as variants, with the ids "flicker/faulty" and "flicker/fixed".
  [[nodiscard]] const Catalogue& catalogue() const { return catalogue_; }

 private:
  void readCourse(const std::filesystem::path& path);

  Catalogue catalogue_;
  std::vector<BugTask> tasks_;
};

}  // namespace haloscope
