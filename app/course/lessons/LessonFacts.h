#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lessons/Attempt.h"
#include "lessons/Lesson.h"
#include "lessons/Setting.h"
#include "program/SourceLocation.h"
#include "questions/Questions.h"
#include "recording/BlockView.h"

namespace haloscope::lessons {

/// The cells that a question of Kind::Cells shows: a box, ghost cells included.
struct Board {
  recording::GridPoint low, high;  ///< both inclusive

  [[nodiscard]] std::int64_t rows() const { return high.y - low.y + 1; }
  [[nodiscard]] std::int64_t columns() const { return high.x - low.x + 1; }
  [[nodiscard]] std::int64_t planes() const { return high.z - low.z + 1; }
  /// Cells are numbered plane by plane, row by row.
  [[nodiscard]] std::int64_t number(const recording::GridPoint& cell) const;
  [[nodiscard]] recording::GridPoint cell(std::int64_t number) const;
};

/// A question with its numbers, and its answer as it was executed.
struct AskedQuestion {
  std::uint64_t seed = 0;
  Setting setting;
  questions::Answer answer;
  questions::Origins origins;                  ///< of the answer, or of all that decides between the choices
  std::optional<std::size_t> option;           ///< of a choice: the one that is true
  Board board;                                 ///< of Kind::Cells
  std::string text;                            ///< of Kind::Line: the kernel's
  int firstLine = 1;                           ///< of its code
  std::map<std::size_t, ShownValue> values{};  ///< in its texts, by index into Lesson::values
  std::string problem;                         ///< why it could not be executed; empty: it was
};

/// The execution of an animation, and the stretch of it that is shown.
struct AnimatedSteps {
  Setting setting;
  std::shared_ptr<const experiment::Experiment> experiment;  ///< its block is recorded; null: see problem
  std::size_t from = 0, to = 0;                              ///< positions: before the first step, after the last
  std::uint32_t thread = 0;                                  ///< whose reads are drawn, linear in the block
  std::string problem;                                       ///< why it could not be executed
};

/// What was executed for a lesson so far.
struct LessonFacts {
  std::map<std::size_t, ShownValue> values;                      ///< outside questions, by index into Lesson::values
  std::vector<std::shared_ptr<const AskedQuestion>> questions;   ///< in the lesson's order; null: not yet
  std::vector<std::shared_ptr<const AnimatedSteps>> animations;  ///< likewise
  std::vector<SourceError> problems;
  bool hasValues = false;  ///< all of `values`

  /// Whether nothing is missing, with these numbers of the questions, by their ids.
  [[nodiscard]] bool answers(const Lesson& lesson, const std::map<std::string, std::uint64_t>& seeds) const;
  /// nullptr while it is being computed.
  [[nodiscard]] const ShownValue* shown(const Lesson& lesson, std::size_t value) const;
};

/// Judges an attempt: sets its verdict, or its complaint about what is not an answer.
void judge(const Question& question, const AskedQuestion& asked, Attempt& attempt);
/// Whether there is an answer that could be judged.
[[nodiscard]] bool answered(const Question& question, const Attempt& attempt);
/// What is said of a judged attempt: "Right.", "Not yet."; of cells, how many are right, wrong and missing.
[[nodiscard]] std::string verdictText(const Question& question, const AskedQuestion& asked, const Attempt& attempt);
/// The right answer in words: "28", "line 37", "14 cells: in[0][1], …".
[[nodiscard]] std::string answerText(const Question& question, const AskedQuestion& asked);

}  // namespace haloscope::lessons
