#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "commands/Command.h"
#include "lessons/Course.h"
#include "lessons/LessonText.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"

/// `haloscope lesson`: the course on the command line.
namespace haloscope {
namespace {

struct LessonOptions {
  std::string id, language = "en";
};

ExitCode listLessons(const lessons::Course& course) {
  std::size_t number = 0;
  for (const lessons::Chapter& chapter : lessons::chapters(course)) {
    fmt::print("Chapter {}\n", chapter.number);
    for (const lessons::Lesson* lesson : chapter.lessons) {
      fmt::print("  {:>2}  {:<28} {:<7} {}\n", ++number, lesson->id, lesson->section, lesson->title);
    }
  }
  return ExitCode::Good;
}

ExitCode lesson(const CommandContext& context, const LessonOptions& options) {
  const auto folder = resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "lessons";
  const lessons::Course course = lessons::Course::read(folder, options.language, context.catalogue);
  if (course.lessons.empty()) {
    throw InputError(fmt::format("there are no lessons in {}", (folder / options.language).string()));
  }
  if (options.id.empty()) { return listLessons(course); }
  const lessons::Lesson& shown = course.at(options.id);
  const auto value = [](std::size_t) { return std::optional<std::string>(); };
  const auto question = [&](std::size_t index) {
    return lessons::wrapped(lessons::plainText(shown, shown.questions[index].ask, value), "  ", "? ");
  };
  fmt::print("{}", lessons::plainText(shown, course, value, question));
  for (const SourceError& problem : shown.problems) { fmt::print(stderr, "haloscope: {}\n", problem.what()); }
  return shown.problems.empty() ? ExitCode::Good : ExitCode::Mismatch;
}

CommandRun addLesson(CLI::App& command) {
  const auto options = std::make_shared<LessonOptions>();
  command.add_option("ID", options->id, "The lesson; without it all are listed");
  command.add_option("--language", options->language, "en or zh")->capture_default_str();
  return [options](const CommandContext& context) { return lesson(context, *options); };
}

}  // namespace

extern const Command lessonCommand{"lesson", "Print a lesson of the course, answer its questions", addLesson};

}  // namespace haloscope
