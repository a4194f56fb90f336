#include "lessons/LessonFacts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "language/Text.h"
#include "lessons/LessonText.h"

namespace haloscope::lessons {

std::int64_t Board::number(const recording::GridPoint& cell) const {
  return ((cell.z - low.z) * rows() + cell.y - low.y) * columns() + cell.x - low.x;
}

recording::GridPoint Board::cell(std::int64_t number) const {
  const std::int64_t plane = rows() * columns();
  return {low.z + number / plane, low.y + number % plane / columns(), low.x + number % columns()};
}

const ShownValue* LessonFacts::shown(const Lesson& lesson, std::size_t value) const {
  const std::map<std::size_t, ShownValue>* from = &values;
  if (const auto question = lesson.values[value].question) {
    if (*question >= questions.size() || questions[*question] == nullptr) { return nullptr; }
    from = &questions[*question]->values;
  }
  const auto found = from->find(value);
  return found == from->end() ? nullptr : &found->second;
}

bool LessonFacts::answers(const Lesson& lesson, const std::map<std::string, std::uint64_t>& seeds) const {
  if (!hasValues) { return false; }
  for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
    if (i >= questions.size() || questions[i] == nullptr) { return false; }
    const auto wanted = seeds.find(lesson.questions[i].id);
    if (wanted != seeds.end() && questions[i]->seed != wanted->second) { return false; }
  }
  return std::ranges::all_of(animations, [](const auto& one) { return one != nullptr; });
}

bool answered(const Question& question, const Attempt& attempt) {
  switch (question.kind) {
    case Question::Kind::Number:
      return !attempt.typed.empty();
    case Question::Kind::Choice:
      return attempt.option.has_value();
    case Question::Kind::Cells:
      return !attempt.cells.empty();
    case Question::Kind::Line:
      return attempt.line.has_value();
  }
  return false;
}

void judge(const Question& question, const AskedQuestion& asked, Attempt& attempt) {
  attempt.complaint.clear();
  bool right = false;
  switch (question.kind) {
    case Question::Kind::Number:
      try {
        right = questions::agrees(asked.answer.number, attempt.typed, question.tolerance);
      } catch (const InputError& error) {
        attempt.complaint = error.message();
        return;
      }
      break;
    case Question::Kind::Choice:
      right = attempt.option == asked.option;
      break;
    case Question::Kind::Cells: {
      std::set<std::int64_t> expected;
      for (const recording::GridPoint& cell : asked.answer.cells.cells) { expected.insert(asked.board.number(cell)); }
      right = attempt.cells == expected;
      break;
    }
    case Question::Kind::Line:
      right = attempt.line && std::ranges::find(asked.answer.lines, *attempt.line) != asked.answer.lines.end();
      break;
  }
  attempt.verdict = right ? Attempt::Verdict::Right : Attempt::Verdict::Wrong;
}

std::string verdictText(const Question& question, const AskedQuestion& asked, const Attempt& attempt) {
  if (attempt.verdict == Attempt::Verdict::Right) { return tr("Right."); }
  if (question.kind != Question::Kind::Cells) { return tr("Not yet."); }
  std::size_t hits = 0;
  for (const recording::GridPoint& cell : asked.answer.cells.cells) {
    hits += attempt.cells.count(asked.board.number(cell));
  }
  const std::size_t missing = asked.answer.cells.cells.size() - hits;
  return trf("Not yet. Right: {}, wrong: {}, missing: {}.", hits, attempt.cells.size() - hits, missing);
}

std::string answerText(const Question& question, const AskedQuestion& asked) {
  switch (question.kind) {
    case Question::Kind::Number: {
      const std::string number = questions::numberText(asked.answer.number);
      return question.unit.empty() ? number : number + " " + question.unit;
    }
    case Question::Kind::Choice:
      return plainText(question.options[asked.option.value_or(0)].text, [&](std::size_t value) -> const ShownValue* {
        const auto found = asked.values.find(value);
        return found == asked.values.end() ? nullptr : &found->second;
      });
    case Question::Kind::Cells: {
      constexpr std::size_t kListed = 8;  // more are seen better on the board
      const std::size_t count = asked.answer.cells.cells.size();
      if (count > kListed) { return trn("{} cell", "{} cells", count, count); }
      std::vector<std::string> names;
      for (const recording::GridPoint& cell : asked.answer.cells.cells) {
        names.push_back(questions::cellText(asked.answer.cells, cell));
      }
      return trf("{}: {}", trn("{} cell", "{} cells", count, count), fmt::join(names, tr(", ")));
    }
    case Question::Kind::Line:
      return trf("line {}", fmt::join(asked.answer.lines, ", "));
  }
  return {};
}

}  // namespace haloscope::lessons
