#include "lessons/LessonExecution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string_view>

#include "language/Text.h"
#include "program/NumberText.h"
#include "program/SourceLocation.h"
#include "program/Words.h"

namespace haloscope::lessons {

namespace {

constexpr int kDraws = 60;             // attempts to find numbers with which the kernel can be launched
constexpr std::size_t kMostKept = 64;  // executions

/// ".2f": a width is none, since a large one would fill the memory.
bool isPrecision(const std::string& format) {
  if (format.size() < 3 || format.size() > 4 || format.front() != '.') { return false; }
  const std::string_view digits = std::string_view(format).substr(1, format.size() - 2);
  return std::ranges::all_of(digits, isDigit) && std::string_view("efg").find(format.back()) != std::string_view::npos;
}

std::string numberIn(double number, const std::string& format) {
  std::string text;
  if (!format.empty() && format != "%" && !isPrecision(format)) {
    throw InputError(trf("\"{}\" is not a format; write .2f or %", format));
  }
  if (format == "%") {
    text = fmt::format("{:.{}f} %", number * 100, std::abs(number) < 0.1 && number != 0 ? 1 : 0);
  } else if (!format.empty()) {
    text = fmt::format(fmt::runtime("{:" + format + "}"), number);
  } else {
    text = questions::numberText(number);
  }
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

std::map<std::string, double> variablesOf(const Setting& setting) { return {setting.free.begin(), setting.free.end()}; }

Setting drawn(const Question& question, const Setting& around, std::uint64_t seed, const KernelFile& file) {
  std::mt19937_64 random(seed);
  for (int attempt = 0; attempt < kDraws; ++attempt) {
    Setting setting = around;
    for (const auto& [name, values] : question.again) { assign(setting, name, values[random() % values.size()], file); }
    try {
      const LaunchConfiguration launch = file.configuration(file.bind(setting.with));
      const Dim3 block = setting.block.value_or(Dim3{0, 0, 0});
      if (block.x < launch.grid.x && block.y < launch.grid.y && block.z < launch.grid.z) { return setting; }
    } catch (const InputError&) { continue; }  // these numbers do not go together
  }
  throw InputError(tr("no numbers of `again` can be launched together"));
}

Board boardOf(const questions::CellSet& set) {
  const auto extent = [&](std::size_t fromLast) {
    return fromLast < set.extents.size() ? set.extents[set.extents.size() - 1 - fromLast] : 1;
  };
  Board board{{0, 0, 0}, {extent(2) - 1, extent(1) - 1, extent(0) - 1}};
  const recording::GridPoint inside = board.high;
  bool outside = false;
  for (const recording::GridPoint& cell : set.cells) {
    outside = outside || cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x > inside.x || cell.y > inside.y ||
              cell.z > inside.z;
    board.low = {std::min(board.low.z, cell.z), std::min(board.low.y, cell.y), std::min(board.low.x, cell.x)};
    board.high = {std::max(board.high.z, cell.z), std::max(board.high.y, cell.y), std::max(board.high.x, cell.x)};
  }
  if (!outside) { return board; }
  // One more all round, so that the border of the picture does not give the answer away.
  const auto widen = [](std::int64_t& low, std::int64_t& high) {
    if (high > low) { --low, ++high; }
  };
  widen(board.low.x, board.high.x);
  widen(board.low.y, board.high.y);
  widen(board.low.z, board.high.z);
  return board;
}

}  // namespace

questions::Execution& LessonExecution::at(const Setting& setting) {
  experiment::Choice choice = choiceOf(setting);
  const auto known = std::ranges::find(kept_, choice, [](const auto& one) { return one.first; });
  if (known != kept_.end()) { return *known->second; }
  if (kept_.size() == kMostKept) { kept_.erase(kept_.begin()); }
  const KernelFile& file = catalogue_.at(choice.kernel);
  // Another size of the same kernel has the same program.
  const auto macros = file.defines(file.bind(choice.bindings));
  const auto like = std::ranges::find_if(kept_, [&](const auto& one) {
    return one.first.kernel == choice.kernel && one.second->known() != nullptr &&
           file.defines(one.second->bindings()) == macros;
  });
  auto execution = std::make_unique<questions::Execution>(file, choice, stop_,
                                                          like == kept_.end() ? nullptr : like->second->known());
  kept_.emplace_back(std::move(choice), std::move(execution));
  return *kept_.back().second;
}

void LessonExecution::stopWith(const std::stop_token& stop) {
  stop_ = stop;
  for (const auto& [choice, execution] : kept_) { execution->stopWith(stop); }
}

const experiment::Experiment& LessonExecution::recorded(const Setting& setting) { return at(setting).recorded(); }

AnimatedSteps LessonExecution::animate(const Lesson& lesson, const StepsBlock& steps) {
  AnimatedSteps animated;
  animated.setting = within(lesson.setting, steps.setting);
  animated.experiment = at(animated.setting).keptRecording();
  const Dim3& block = animated.experiment->configuration.block;
  const auto thread = threadAt(steps.thread, *animated.experiment);
  animated.thread = thread.value_or(static_cast<std::uint32_t>(linear({block.x / 2, block.y / 2, block.z / 2}, block)));
  const std::size_t from = positionOf(steps.from, {}, *animated.experiment);
  animated.to = positionOf(steps.to, {}, *animated.experiment);
  if (from >= animated.to) { throw InputError(tr("\"to\" does not come after \"from\"")); }
  // What the first step does is to be seen, too.
  animated.from = from > 0 ? from - 1 : 0;
  return animated;
}

ShownValue LessonExecution::value(const Value& value, const Setting& around) {
  const Setting setting = within(around, value.setting);
  const questions::Answer answer = questions::answer(value.expression, at(setting), variablesOf(setting));
  if (answer.kind != questions::AnswerKind::Number) {
    throw InputError(trf("{} is not a number; count({}) is", value.expression, value.expression));
  }
  return {numberIn(answer.number, value.format), answer.origins, {}};
}

AskedQuestion LessonExecution::execute(const Lesson& lesson, std::size_t index, const Setting& setting) {
  const Question& question = lesson.questions[index];
  AskedQuestion asked;
  asked.setting = setting;
  questions::Execution& execution = at(setting);
  if (question.kind == Question::Kind::Choice) {
    for (std::size_t i = 0; i < question.options.size(); ++i) {
      const std::string& when = question.options[i].when;
      const questions::Answer answer = questions::answer(when, execution, variablesOf(setting));
      asked.origins.insert(answer.origins.begin(), answer.origins.end());
      if (answer.number == 0) { continue; }
      if (asked.option) {
        throw InputError(trf("choices {} and {} are both true ({}; {})", *asked.option + 1, i + 1,
                             question.options[*asked.option].when, when));
      }
      asked.option = i;
    }
    if (!asked.option) { throw InputError(tr("none of its choices is true")); }
  } else {
    asked.answer = questions::answer(question.answer, execution, variablesOf(setting));
    asked.origins = asked.answer.origins;
    const auto expected = question.kind == Question::Kind::Number  ? questions::AnswerKind::Number
                          : question.kind == Question::Kind::Cells ? questions::AnswerKind::Cells
                                                                   : questions::AnswerKind::Lines;
    if (asked.answer.kind != expected) {
      throw InputError(trf("\"{}\" is not an answer to a question of this kind", question.answer));
    }
  }
  if (question.kind == Question::Kind::Cells) {
    asked.board = boardOf(asked.answer.cells);
    if (asked.answer.cells.cells.empty()) { throw InputError(trf("{} is empty", question.answer)); }
  }
  if (question.kind == Question::Kind::Line) {
    asked.text = execution.file().text;
    asked.firstLine = execution.file().firstCodeLine;
    if (asked.answer.lines.empty()) { throw InputError(trf("{}: there is no such line", question.answer)); }
  }
  for (std::size_t i = 0; i < lesson.values.size(); ++i) {
    if (lesson.values[i].question == index) { asked.values[i] = value(lesson.values[i], setting); }
  }
  return asked;
}

Setting LessonExecution::settingOf(const Lesson& lesson, std::size_t index, std::uint64_t seed) const {
  const Question& question = lesson.questions[index];
  const Setting around = within(lesson.setting, question.setting);
  return seed == 0 ? around : drawn(question, around, seed, catalogue_.at(around.kernel));
}

AskedQuestion LessonExecution::ask(const Lesson& lesson, std::size_t index, std::uint64_t seed) {
  AskedQuestion asked = execute(lesson, index, settingOf(lesson, index, seed));
  asked.seed = seed;
  return asked;
}

}  // namespace haloscope::lessons
