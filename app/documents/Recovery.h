#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "state/WorkingCopy.h"

namespace haloscope {

/// Where texts that differ from their files outlive the program: a folder for each running program, locked by it. A
/// folder that nobody locks is what an ended program left, whether it was closed, crashed or lost its power.
class Recovery {
 public:
  /// Takes over what ended programs left below `folder`, newest last. Of a kernel of which several left different
  /// texts, the newest; the others stay for the next time. An empty path: nothing is kept.
  explicit Recovery(const std::filesystem::path& folder);
  ~Recovery();
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  /// What was taken over; it is this program's to keep or to forget from now on.
  [[nodiscard]] const std::vector<WorkingCopy>& found() const { return found_; }
  /// Writes the text to the disk. Returns what went wrong; empty if nothing.
  std::string keep(const WorkingCopy& copy);
  void forget(const std::string& id);

 private:
  void takeOver(const std::filesystem::path& left);
  [[nodiscard]] std::filesystem::path fileOf(const std::string& id) const;

  std::filesystem::path own_;  ///< this program's folder
  int lock_ = -1;
  std::string problem_;  ///< why nothing is kept; empty once it has been said
  std::vector<WorkingCopy> found_;
};

}  // namespace haloscope
