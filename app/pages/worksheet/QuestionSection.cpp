#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "handout/KernelQuestions.h"
#include "language/Text.h"
#include "lessons/Lesson.h"
#include "worksheet/Sections.h"

namespace haloscope::worksheet {

namespace {

constexpr double kIndent = 18;

void addQuestion(SheetWriter& writer, const handout::AnsweredQuestion& question, std::size_t number) {
  const Text marker(writer.fonts(), fmt::format("{}.", number), {Face::Strong, kBody});
  std::vector<Run> runs = sentenceRuns(question.ask);
  if (!question.setting.empty()) { runs.push_back({"  (" + question.setting + ")", {Face::Sans, kSmall, kDim}}); }
  // The course asks for clicks.
  const char* how = question.kind == lessons::Question::Kind::Line    ? tr("On paper: the line's number.")
                    : question.kind == lessons::Question::Kind::Cells ? tr("On paper: their names, or how many.")
                                                                      : "";
  if (*how != '\0') { runs.push_back({std::string("  ") + how, {Face::Italic, kSmall, kDim}}); }
  const Text ask(writer.fonts(), runs, writer.width() - kIndent);
  Piece piece;
  piece.height = ask.height();
  piece.before = 11;
  piece.keepWithNext = true;
  piece.draw = [=](const Pen& pen, double x, double y) {
    pen.text(marker, x, y);
    pen.text(ask, x + kIndent, y);
  };
  writer.add(std::move(piece));

  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const Text option(writer.fonts(), sentenceRuns(question.options[i]), writer.width() - kIndent - 16);
    const bool ticked = writer.solutions() && question.option == i;
    Piece box;
    box.height = option.height();
    box.before = 4;
    box.keepWithNext = true;
    box.draw = [option, ticked](const Pen& pen, double x, double y) {
      constexpr double kBox = 8.5;
      const double top = y + option.baseline() - kBox + 0.8;
      pen.frame(x + kIndent, top, kBox, kBox, 0.7, kInk);
      if (ticked) { pen.cross(x + kIndent + 1.4, top + 1.4, kBox - 2.8, 1.3); }
      pen.text(option, x + kIndent + 15, y);
    };
    writer.add(std::move(box));
  }
  const Style style{Face::Sans, kBody, kAnswer};
  std::vector<Run> answer;
  if (question.options.empty()) { answer.push_back({question.answer + "\n", {Face::Strong, kBody, kAnswer}}); }
  for (Run& run : sentenceRuns(question.because, style)) { answer.push_back(std::move(run)); }
  answer.push_back({"  (" + question.origin + ")", {Face::Sans, kSmall, kAnswer}});
  writer.answer(answer, question.options.empty() ? 2 : 1, kIndent);
}

}  // namespace

void addQuestions(SheetWriter& writer, const ChapterSheet& sheet, std::set<std::string>& asked) {
  if (!sheet.chapter.questions) { return; }
  std::size_t number = 0;
  for (const handout::AnsweredQuestion& question : sheet.chapter.questions->questions) {
    if (!asked.insert(question.ask + "\n" + question.setting).second) { continue; }
    if (number == 0) { writer.heading(tr("Questions")); }
    addQuestion(writer, question, ++number);
  }
  for (const std::string& missing : sheet.chapter.questions->missing) {
    if (asked.insert(missing).second) {
      writer.sentence(trf("Not answered here: {}", missing), {Face::Sans, kSmall, kDim});
    }
  }
}

}  // namespace haloscope::worksheet
