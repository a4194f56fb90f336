#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace haloscope::grading {

/// The pages of a grading, and those that earlier gradings left in the same folder. Each page ends with two marks: a
/// hash of the folder of hand-ins, and a hash of the page's own name and text. A page whose second mark still matches
/// is unchanged since this program wrote it, and may be removed.
class ResultPages {
 public:
  /// `folder` of the results of `handIns`, a folder. Throws InputError if it cannot be made.
  ResultPages(std::filesystem::path folder, const std::filesystem::path& handIns);

  /// The folder of the students' pages.
  [[nodiscard]] const std::filesystem::path& students() const { return students_; }
  /// Where the report is if nothing else is said.
  [[nodiscard]] std::filesystem::path report() const { return folder_ / "report.html"; }

  /// Writes a page with its mark, unless it is there already. Throws InputError.
  void write(const std::filesystem::path& path, const std::string& page);

  /// File names of pages, in order.
  struct Others {
    std::vector<std::string> removed;
    std::vector<std::string> leftAlone;  ///< of pages that this program did not write as they are
  };
  /// Removes the pages that earlier gradings of the same folder wrote and this one did not: of hand-ins that were
  /// removed or renamed, or a report that is now somewhere else. No other file is touched; pages of another folder's
  /// hand-ins are in neither list.
  [[nodiscard]] Others removeOthers() const;

 private:
  std::filesystem::path folder_, students_;
  std::string ofHandIns_;  ///< in each page: the hash of their folder
  std::set<std::filesystem::path> written_;
};

}  // namespace haloscope::grading
