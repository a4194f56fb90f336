#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "state/WorkingCopy.h"

namespace haloscope {

/// Keeps texts that differ from their files beyond the end of the program, in a folder that each running program locks.
/// An unlocked folder was left by a program that has ended, whether it was closed, crashed or lost power.
class Recovery {
 public:
  /// Takes over what ended programs left below `folder`, newest last. If several left different texts of a kernel, the
  /// newest is taken; the others stay for the next start. An empty path: nothing is kept.
  explicit Recovery(const std::filesystem::path& folder);
  ~Recovery();
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  /// The texts that were taken over. This program now has to keep or forget them.
  [[nodiscard]] const std::vector<WorkingCopy>& found() const { return found_; }
  /// Writes the text to the disk. Returns an error message; empty on success.
  std::string keep(const WorkingCopy& copy);
  void forget(const std::string& id);

 private:
  void takeOver(const std::filesystem::path& left);
  [[nodiscard]] std::filesystem::path fileOf(const std::string& id) const;

  std::filesystem::path own_;  ///< this program's folder
  int lock_ = -1;
  std::string problem_;  ///< why nothing is kept; empty once reported
  std::vector<WorkingCopy> found_;
};

}  // namespace haloscope
