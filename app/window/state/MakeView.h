#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "making/MadeKernel.h"
#include "making/MakeTask.h"

namespace haloscope {

/// How much of a task's help was looked at.
enum class MakeHelp : std::uint8_t { None, Sketch, Outline, Hints };

/// The user's progress with a task in which a kernel is written.
struct MakeProgress {
  MakeHelp help = MakeHelp::None;
  bool right = false;   ///< a solution had the right result
  bool solved = false;  ///< ... and reached all goals
  bool operator==(const MakeProgress&) const = default;
};

/// A text to be judged as the solution of a task.
struct Solution {
  std::string task, text;
  bool operator==(const Solution&) const = default;
};

/// The tasks in which a kernel is written, and the last solution that was judged.
struct MakeView {
  std::vector<making::MakeTask> tasks;
  std::map<std::string, MakeProgress> progress;    ///< by task
  Solution asked;                                  ///< what the user asked to have judged last; no task: nothing yet
  Solution judged;                                 ///< what `made` is about
  std::shared_ptr<const making::MadeKernel> made;  ///< filled in by the App; null: nothing was judged yet
  bool goesToWrong = false;                        ///< the window is to go to where `made` is wrong
};

}  // namespace haloscope
