#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "lessons/Lesson.h"

namespace haloscope::lessons {

/// All lessons, in the order of their files.
struct Course {
  std::filesystem::path folder;  ///< with one folder for each language
  std::string language;          ///< "en"
  std::vector<Lesson> lessons;
  Lesson test{};  ///< taken before and after the course: the file whose section is "test"; without an id: there is none

  /// Reads FOLDER/LANGUAGE/*.md, and in English what that language lacks: see Lesson::language. What refers to another
  /// lesson is checked too. A missing folder is an empty course.
  static Course read(const std::filesystem::path& folder, const std::string& language, const Catalogue& catalogue);
  /// The same for the pages of the manual, which are read like lessons and differ only in what they may contain.
  static Course readManual(const std::filesystem::path& folder, const std::string& language);

  /// A lesson, or the test.
  [[nodiscard]] const Lesson* find(const std::string& id) const;
  /// Throws InputError, which suggests the closest id.
  [[nodiscard]] const Lesson& at(const std::string& id) const;
  /// The one `by` places further; nullptr at the ends.
  [[nodiscard]] const Lesson* neighbour(const std::string& id, int by) const;
};

/// One part of the course: the lessons on convolution, and those on stencils.
struct Chapter {
  int number = 0;  ///< 7 or 8
  std::vector<const Lesson*> lessons;
};
/// By the chapter of their section; one without a section belongs to that of the lesson before it.
[[nodiscard]] std::vector<Chapter> chapters(const Course& course);
/// "Chapter 7: convolution".
[[nodiscard]] std::string titleOf(const Chapter& chapter);

}  // namespace haloscope::lessons
