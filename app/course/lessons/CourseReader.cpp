#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "exercises/Exercise.h"
#include "language/Glossary.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/LessonReader.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> lessonFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".md") { files.push_back(it->path()); }
  }
  std::ranges::sort(files);
  return files;
}

/// Nothing if the file cannot be read.
std::optional<std::string> wholeText(const fs::path& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !fs::is_regular_file(path, error)) { return std::nullopt; }
  std::ostringstream text;
  text << file.rdbuf();
  return file.bad() ? std::nullopt : std::optional(std::move(text).str());
}

void addProblem(Lesson& lesson, int line, const std::string& message) {
  lesson.problems.emplace_back(lesson.path.string(), SourceRange{line, 1, line, 1}, message);
}

/// Why a link leads nowhere; empty if it does not.
std::string problemOf(const Link& link, const Course& course) {
  if (link.kind == Link::Kind::Lesson && course.find(link.target) == nullptr) {
    return trf("the link lesson:{}: there is no such lesson", link.target);
  }
  if (link.kind == Link::Kind::Page && course.find(link.target) == nullptr) {
    return trf("the manual has no page \"{}\"", link.target);
  }
  if (link.kind == Link::Kind::Term && findTerm(link.target) == nullptr) {
    return trf("the link term:{}: the glossary has no such term", link.target);
  }
  if (link.kind == Link::Kind::Exercise) {
    try {
      static_cast<void>(exercises::exercise(link.target));
    } catch (const InputError& unknown) { return fmt::format("exercise:{}: {}", link.target, unknown.message()); }
  }
  return {};
}

/// `read` makes a lesson of a file's path and text.
template <typename Read>
Course readCourse(const fs::path& folder, const std::string& language, const Read& read) {
  Course course;
  course.language = language;
  course.folder = folder;
  std::map<fs::path, std::string> languages;  // by file name
  for (const std::string& one : {std::string("en"), language}) {
    for (const fs::path& path : lessonFiles(folder / one)) { languages[path.filename()] = one; }
  }
  for (const auto& [name, of] : languages) {
    const fs::path path = folder / of / name;
    Lesson lesson;
    if (const std::optional<std::string> text = wholeText(path)) {
      lesson = read(path, *text);
    } else {
      lesson.path = path;
      lesson.id = lesson.title = lessonId(path);
      addProblem(lesson, 1, tr("this file cannot be read"));
    }
    lesson.language = of;
    course.lessons.push_back(std::move(lesson));
  }
  if (const auto test = std::ranges::find(course.lessons, "test", &Lesson::section); test != course.lessons.end()) {
    course.test = std::move(*test);
    course.lessons.erase(test);
  }
  const auto check = [&](Lesson& lesson) {
    for (const std::string& id : lesson.restsOn) {
      if (course.find(id) == nullptr) {
        addProblem(lesson, lesson.restsOnLine, trf("rests_on: there is no lesson \"{}\"", id));
      }
    }
    for (Link& link : lesson.links) {
      if (link.broken) { continue; }
      const std::string problem = problemOf(link, course);
      link.broken = !problem.empty();
      if (link.broken) { addProblem(lesson, link.line, problem); }
    }
  };
  for (Lesson& lesson : course.lessons) { check(lesson); }
  check(course.test);
  return course;
}

}  // namespace

Course Course::read(const fs::path& folder, const std::string& language, const Catalogue& catalogue) {
  return readCourse(folder, language,
                    [&](const fs::path& path, const std::string& text) { return readLesson(path, text, catalogue); });
}

Course Course::readManual(const fs::path& folder, const std::string& language) {
  return readCourse(folder, language, readPage);
}

}  // namespace haloscope::lessons
