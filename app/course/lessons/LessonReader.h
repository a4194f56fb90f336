#pragma once

#include <filesystem>
#include <string>

#include "catalogue/Catalogue.h"
#include "lessons/Lesson.h"

namespace haloscope::lessons {

/// Reads the text of a lesson's file. What is wrong with it becomes Lesson::problems, each with its line, and the rest
/// is read all the same.
[[nodiscard]] Lesson readLesson(const std::filesystem::path& path, const std::string& text, const Catalogue& catalogue);

/// The same for a page of the manual: a title, the section under which it is listed, and words, tables, code, pictures
/// and links to other pages.
[[nodiscard]] Lesson readPage(const std::filesystem::path& path, const std::string& text);

/// "tiles-and-halos" of "06-tiles-and-halos.md".
[[nodiscard]] std::string lessonId(const std::filesystem::path& path);

}  // namespace haloscope::lessons
