#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "commands/Command.h"
#include "commands/ExecutedLesson.h"
#include "documents/Memory.h"
#include "language/Language.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/CourseCheck.h"
#include "lessons/CourseTest.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonText.h"
#include "lessons/Look.h"
#include "making/MakeTask.h"
#include "options/KernelArguments.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "state/AppState.h"
#include "text/Print.h"

/// `haloscope lesson`: the course on the command line.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using lessons::AskedQuestion;
using lessons::Attempt;
using lessons::Lesson;
using lessons::Question;

struct LessonOptions {
  std::string id;
  std::vector<std::string> answers;  ///< QUESTION=VALUE
  std::uint64_t seed = 0;
  bool json = false, check = false, before = false, after = false, csv = false;
};

const char* kindName(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::Number:
      return "number";
    case Question::Kind::Choice:
      return "choice";
    case Question::Kind::Cells:
      return "cells";
    case Question::Kind::Line:
      return "line";
  }
  return "";
}

/// What a reader types on the command line for a kind of question.
const char* answerForm(Question::Kind kind) {
  switch (kind) {
    case Question::Kind::Number:
      return trMark("a number");
    case Question::Kind::Choice:
      return trMark("the number of a choice");
    case Question::Kind::Cells:
      return trMark("cells as \"0,1 0,2\", slowest axis first");
    case Question::Kind::Line:
      return trMark("the number of a line");
  }
  return "";
}

/// The code of a kernel file with the numbers of its lines, to be chosen from.
std::string numberedCode(const KernelFile& file) {
  constexpr std::string_view kHeaderEnd = "*/\n";
  const std::size_t header = file.text.find(kHeaderEnd);
  std::istringstream lines(file.text);
  std::string text = fmt::format("  kernels/{}.cu\n", file.id), line;
  std::size_t end = 0;
  for (int number = 1; std::getline(lines, line); ++number) {
    end += line.size() + 1;
    if (header == std::string::npos || end > header + kHeaderEnd.size()) {
      text += fmt::format("  {:>4} | {}\n", number, line);
    }
  }
  return text;
}

std::string questionText(ExecutedLesson& executed, std::size_t index) {
  const Question& question = executed.lesson().questions[index];
  const AskedQuestion& asked = executed.asked(index);
  std::string text = lessons::wrapped(executed.text(question.ask), "  ", "? ");
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    text += lessons::wrapped(executed.text(question.options[i].text), "     ", fmt::format("  {}. ", i + 1));
  }
  if (!asked.problem.empty()) { return text + "  ! " + asked.problem + "\n"; }
  if (question.kind == Question::Kind::Line) {
    text += '\n' + numberedCode(executed.catalogue().at(asked.setting.kernel)) + '\n';
  }
  return text + fmt::format("  [--answer {}=…: {}]\n", question.id, tr(answerForm(question.kind)));
}

/// A typed answer as the panel would have it. Throws InputError.
Attempt attemptOf(const Question& question, const AskedQuestion& asked, const std::string& typed) {
  Attempt attempt;
  const auto number = [&]() { return parsePlace(typed, "--answer").x; };
  switch (question.kind) {
    case Question::Kind::Number:
      attempt.typed = typed;
      break;
    case Question::Kind::Choice:
      if (number() < 1 || number() > question.options.size()) {
        throw InputError(trf("--answer {}={}: the choices are 1 to {}", question.id, typed, question.options.size()));
      }
      attempt.option = number() - 1;
      break;
    case Question::Kind::Line:
      attempt.line = static_cast<int>(number());
      break;
    case Question::Kind::Cells: {
      std::istringstream words(typed);
      for (std::string word; words >> word;) {
        std::vector<std::int64_t> at = parseIndices(word, "--answer");
        if (at.size() > 3) {
          throw InputError(trf("--answer {}={}: a cell has at most three indices", question.id, word));
        }
        at.insert(at.begin(), 3 - at.size(), 0);
        attempt.cells.insert(asked.board.number({at[0], at[1], at[2]}));
      }
      break;
    }
  }
  return attempt;
}

/// What the course's test came to before, on this machine, and what is to be kept of it.
class KeptResults {
 public:
  KeptResults() : memory_(kLessonMemory, settingsFolder(), setAside_) {
    memory_.restore(state_);
    say(setAside_);
  }

  [[nodiscard]] const lessons::TestResults& results() const { return state_.lesson.results; }
  void keep(lessons::TestTime time, lessons::TestResult result) {
    lessons::resultOf(state_.lesson.results, time) = std::move(result);
    const auto change = memory_.changed(state_);
    if (!change) { return say(tr("Nothing is kept: there is no folder for settings.")); }
    const MemoryWritten written = write(*change);
    say(written.setAside);
    say(written.problem);
  }

 private:
  static void say(const std::string& sentence) {
    if (!sentence.empty()) { printText(stderr, "haloscope: {}\n", sentence); }
  }

  std::string setAside_;
  AppState state_;
  Memory memory_;
};

/// Reads an answer from standard input until there is one that can be judged; an empty line, and the end, leave the
/// question open.
std::optional<bool> readAnswer(const Question& question, const AskedQuestion& asked) {
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) { return std::nullopt; }
    try {
      Attempt attempt = attemptOf(question, asked, line);
      lessons::judge(question, asked, attempt);
      if (attempt.complaint.empty()) { return attempt.verdict == Attempt::Verdict::Right; }
      printText(stderr, "{}\n", attempt.complaint);
    } catch (const InputError& error) { printText(stderr, "{}\n", error.message()); }
  }
  return std::nullopt;
}

/// The test before or after the course, asked on the terminal. What was right is said at its end, and the answers only
/// after the course.
ExitCode takeTest(const Lesson& test, const Catalogue& catalogue, const LessonOptions& options) {
  const auto time = options.before ? lessons::TestTime::Before : lessons::TestTime::After;
  lessons::TestResult result{
      .seed = options.seed != 0 ? options.seed : lessons::freshTestSeed(), .day = lessons::today(), .right = {}};
  ExecutedLesson executed(test, catalogue, result.seed);
  FILE* const to = options.json ? stderr : stdout;
  printLines(to, lessons::wrapped(trf("{} questions. Type an answer and Enter; Enter alone leaves a question open.",
                                      test.questions.size()),
                                  "", ""));
  for (std::size_t i = 0; i < test.questions.size(); ++i) {
    const Question& question = test.questions[i];
    printLines(to, lessons::wrapped(executed.text(question.ask), "    ", fmt::format("{:>2}. ", i + 1)));
    for (std::size_t option = 0; option < question.options.size(); ++option) {
      printLines(to, lessons::wrapped(executed.text(question.options[option].text), "       ",
                                      fmt::format("    {}. ", option + 1)));
    }
    static_cast<void>(std::fflush(to));
    const AskedQuestion& asked = executed.asked(i);
    if (!asked.problem.empty()) { throw InputError(fmt::format("{}: {}", question.id, asked.problem)); }
    if (const auto right = readAnswer(question, asked)) { result.right[question.id] = *right; }
  }
  KeptResults kept;
  kept.keep(time, result);
  if (options.json) {
    Json json = {{"time", options.before ? "before" : "after"}, {"seed", result.seed}, {"day", result.day}};
    json["right"] = result.rightAnswers();
    json["questions"] = Json::array();
    for (std::size_t i = 0; i < test.questions.size(); ++i) {
      const auto answered = result.right.find(test.questions[i].id);
      json["questions"].push_back({{"id", test.questions[i].id},
                                   {"right", answered == result.right.end() ? Json(nullptr) : Json(answered->second)},
                                   {"answer", lessons::answerText(test.questions[i], executed.asked(i))}});
    }
    printJson(json);
    return ExitCode::Good;
  }
  printText("\n");
  for (std::size_t i = 0; !options.before && i < test.questions.size(); ++i) {
    const auto answered = result.right.find(test.questions[i].id);
    if (answered != result.right.end() && answered->second) { continue; }
    printLines(lessons::wrapped(executed.text(test.questions[i].because), "    ", fmt::format("{:>2}. ", i + 1)));
  }
  for (const auto which : {lessons::TestTime::Before, lessons::TestTime::After}) {
    const lessons::TestResult& one = lessons::resultOf(kept.results(), which);
    if (one.taken()) { printText("{}\n", lessons::resultText(which, one, test)); }
  }
  return ExitCode::Good;
}

ExitCode printTestTable(const Lesson& test) {
  const KeptResults kept;
  if (std::ranges::none_of(kept.results(), &lessons::TestResult::taken)) {
    throw InputError(tr("the test was not taken on this machine: haloscope lesson --before, or --after"));
  }
  printLines(lessons::testTable(test, kept.results()));
  return ExitCode::Good;
}

/// "the line with "sum +=", thread (4,0,0)"
std::string placeText(const lessons::LinkPairs& look) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : look) {
    parts.push_back(key == "at"        ? trf("the line with \"{}\"", value)
                    : key == "thread"  ? trf("thread ({})", value)
                    : key == "block"   ? trf("block ({})", value)
                    : key == "barrier" ? trf("barrier {}", value)
                    : key == "figure"  ? trf("the figure {}", value)
                    : key == "tab"     ? trf("the panel {}", value)
                                       : key + " " + value);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// "QUESTION=VALUE": whether it is right, with the place to look or the reason.
Json judged(ExecutedLesson& executed, const std::string& text) {
  const std::size_t equals = text.find('=');
  const Lesson& lesson = executed.lesson();
  const Question* question = equals == std::string::npos ? nullptr : lesson.findQuestion(text.substr(0, equals));
  if (question == nullptr) {
    std::string known;
    for (const Question& one : lesson.questions) { known += (known.empty() ? "" : ", ") + one.id; }
    throw InputError(trf("--answer {}: write QUESTION=VALUE; the questions of {} are {}", text, lesson.id, known));
  }
  const auto index = static_cast<std::size_t>(question - lesson.questions.data());
  const AskedQuestion& asked = executed.asked(index);
  Json json = {{"question", question->id}};
  if (!asked.problem.empty()) {
    json["problem"] = asked.problem;
    return json;
  }
  Attempt attempt = attemptOf(*question, asked, text.substr(equals + 1));
  lessons::judge(*question, asked, attempt);
  if (!attempt.complaint.empty()) { throw InputError(trf("--answer {}: {}", text, attempt.complaint)); }
  const bool right = attempt.verdict == Attempt::Verdict::Right;
  json["right"] = right;
  if (right) {
    json["because"] = executed.text(question->because);
  } else if (!question->look.empty()) {
    const lessons::WindowLink look = lessons::lookOf(*question, asked.setting, executed.catalogue());
    const KernelFile& file = executed.catalogue().at(asked.setting.kernel);
    json["look"] = {{"kernel", look.setting.kernel},
                    {"place", lessons::withNumbers(placeText(question->look), asked.setting, file)}};
  }
  return json;
}

Json lessonJson(ExecutedLesson& executed) {
  const Lesson& lesson = executed.lesson();
  Json values = Json::array(), questions = Json::array();
  for (std::size_t i = 0; i < lesson.values.size(); ++i) {
    const lessons::ShownValue* const shown = executed.value(i);
    const bool known = shown != nullptr && shown->missing.empty();
    values.push_back({{"expression", lesson.values[i].expression},
                      {"line", lesson.values[i].line},
                      {"value", known ? Json(shown->text) : Json(nullptr)},
                      {"from", known ? questions::names(shown->origins) : std::vector<std::string>{}}});
  }
  for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
    const Question& question = lesson.questions[i];
    const AskedQuestion& asked = executed.asked(i);
    Json options = Json::array();
    for (const lessons::Option& option : question.options) { options.push_back(executed.text(option.text)); }
    questions.push_back({{"id", question.id},
                         {"kind", kindName(question.kind)},
                         {"ask", executed.text(question.ask)},
                         {"choices", options},
                         {"seed", asked.seed},
                         {"answer", asked.problem.empty() ? Json(lessons::answerText(question, asked)) : Json(nullptr)},
                         {"from", questions::names(asked.origins)},
                         {"because", executed.text(question.because)}});
  }
  return {{"id", lesson.id},           {"title", lesson.title},
          {"section", lesson.section}, {"rests_on", lesson.restsOn},
          {"minutes", lesson.minutes}, {"kernel", lesson.setting.kernel},
          {"values", values},          {"questions", questions}};
}

Json problemsOf(const Lesson& lesson) {
  Json list = Json::array();
  for (const SourceError& problem : lesson.problems) { list.push_back(problem.what()); }
  return list;
}

ExitCode listLessons(const lessons::Course& course, bool json) {
  Json list = Json::array();
  std::size_t number = 0;
  for (const lessons::Chapter& chapter : lessons::chapters(course)) {
    if (!json) { printText("{}\n", trf("Chapter {}", chapter.number)); }
    for (const Lesson* lesson : chapter.lessons) {
      list.push_back({{"id", lesson->id},
                      {"chapter", chapter.number},
                      {"section", lesson->section},
                      {"title", lesson->title},
                      {"rests_on", lesson->restsOn},
                      {"questions", lesson->questions.size()},
                      {"problems", problemsOf(*lesson)}});
      if (!json) {
        const std::string section = lesson->section == "beyond" ? tr("beyond") : lesson->section;
        printText("  {:>2}  {:<24} {:<7} {}\n", ++number, lesson->id, section, lesson->title);
      }
      if (json) { continue; }
      for (const SourceError& problem : lesson->problems) { printText("      ! {}\n", problem.what()); }
    }
  }
  if (json) { printJson(list); }
  return ExitCode::Good;
}

/// Everything that the lessons refer to, in every language; of one lesson, if it is named.
ExitCode checkCourse(const std::filesystem::path& folder, const Catalogue& catalogue, const LessonOptions& options) {
  lessons::CourseCheck check;
  std::size_t count = 0;
  lessons::LessonExecution execution(catalogue);
  const lessons::Course english = lessons::Course::read(folder, "en", catalogue);
  const lessons::Course chinese = lessons::Course::read(folder, "zh", catalogue);
  for (const lessons::Course* const course : {&english, &chinese}) {
    if (!options.id.empty()) { static_cast<void>(course->at(options.id)); }
    for (const Lesson* const lesson : lessons::ownFiles(*course)) {
      if (!options.id.empty() && lesson->id != options.id) { continue; }
      lessons::checkLesson(*lesson, catalogue, execution, 3, check);
      ++count;
    }
  }
  if (count == 0) { throw InputError(trf("there are no lessons in {}", folder.string())); }
  lessons::compareLanguages(english, chinese, check);
  lessons::compareLanguages(chinese, english, check);
  if (options.json) {
    printJson(Json{{"lessons", count},
                   {"links", check.links},
                   {"values", check.values},
                   {"questions", check.questions},
                   {"animations", check.animations},
                   {"not_executed", check.notExecuted},
                   {"problems", check.problems}});
  } else {
    for (const std::string& problem : check.problems) { printText("{}\n", problem); }
    for (const std::string& missing : check.notExecuted) { printText("{}\n", trf("not executed: {}", missing)); }
    printText("{}\n", trf("{} lessons: {} links, {} values, {} questions asked, {} animations; {} not executed, "
                          "{} problems",
                          count, check.links, check.values, check.questions, check.animations, check.notExecuted.size(),
                          check.problems.size()));
  }
  return check.problems.empty() ? ExitCode::Good : ExitCode::Mismatch;
}

ExitCode lesson(const CommandContext& context, const LessonOptions& options) {
  const auto assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
  const auto folder = assets / "lessons";
  if (options.check) { return checkCourse(folder, context.catalogue, options); }
  const lessons::Course course = lessons::Course::read(folder, languageCode(language()), context.catalogue);
  if (course.lessons.empty()) { throw InputError(trf("there are no lessons in {}", folder.string())); }
  if (options.before || options.after || options.csv) {
    if (course.test.id.empty()) { throw InputError(tr("this course has no test")); }
    return options.csv ? printTestTable(course.test) : takeTest(course.test, context.catalogue, options);
  }
  if (options.id.empty() && options.seed != 0) {
    throw InputError(tr("--seed: name a lesson, or --before or --after"));
  }
  if (options.id.empty()) { return listLessons(course, options.json); }
  const Lesson& shown = course.at(options.id);
  ExecutedLesson executed(shown, context.catalogue, options.seed);
  if (!options.answers.empty()) {
    bool right = true;
    Json results = Json::array();
    for (const std::string& answer : options.answers) {
      Json result = judged(executed, answer);
      const bool one = result.value("right", false);
      right = right && one;
      if (!options.json) {
        printText("{}: {}\n", result["question"].get<std::string>(), one ? tr("Right.") : tr("Not yet."));
        if (result.contains("because")) {
          printLines(lessons::wrapped(result["because"].get<std::string>(), "  ", "  "));
        }
        if (result.contains("problem")) { printText("  {}\n", result["problem"].get<std::string>()); }
        if (result.contains("look")) {
          printText("  {}\n", trf("Look at {}, {}.", result["look"]["kernel"].get<std::string>(),
                                  result["look"]["place"].get<std::string>()));
        }
      }
      results.push_back(std::move(result));
    }
    if (options.json) { printJson(results); }
    return right ? ExitCode::Good : ExitCode::Mismatch;
  }
  if (options.json) {
    printJson(lessonJson(executed));
  } else {
    printLines(lessons::plainText(shown, course, executed.valueText(),
                                  [&](std::size_t index) { return questionText(executed, index); }));
    for (const making::MakeTask& task : making::readMakeTasks(making::ownTasks(assets))) {
      if (task.lesson == shown.id) { trPrint("Write it yourself: haloscope make {}\n", task.id); }
    }
  }
  for (const SourceError& problem : shown.problems) { printText(stderr, "haloscope: {}\n", problem.what()); }
  for (const SourceError& problem : executed.problems()) { printText(stderr, "haloscope: {}\n", problem.what()); }
  return shown.problems.empty() && executed.problems().empty() ? ExitCode::Good : ExitCode::Mismatch;
}

CommandRun addLesson(CLI::App& command) {
  const auto options = std::make_shared<LessonOptions>();
  CLI::Option* id = command.add_option("ID", options->id, tr("The lesson; without it all are listed"));
  CLI::Option* answer =
      command
          .add_option("--answer", options->answers,
                      tr("Answer a question of the lesson, QUESTION=VALUE, and learn whether it is right"))
          ->allow_extra_args(false)
          ->needs(id);
  command.add_option("--seed", options->seed, tr("Ask with other numbers, drawn from this seed; 0: those of the file"))
      ->check(CLI::Range(0, std::numeric_limits<int>::max()).description(""));
  CLI::Option* before =
      command.add_flag("--before", options->before, tr("Take the test before the course; the result is kept"))
          ->excludes(id);
  CLI::Option* after = command.add_flag("--after", options->after, tr("Take it after the course"))->excludes(id);
  CLI::Option* csv =
      command.add_flag("--csv", options->csv, tr("Print both results as CSV, without a name"))->excludes(id);
  before->excludes(after)->excludes(csv);
  after->excludes(csv);
  command.add_flag("--check", options->check, tr("Execute every link, value and question, in all languages"))
      ->excludes(answer);
  addJson(command, options->json);
  return [options](const CommandContext& context) { return lesson(context, *options); };
}

}  // namespace

extern const Command lessonCommand{"lesson", trMark("Print a lesson of the course, answer its questions"), addLesson};

}  // namespace haloscope
