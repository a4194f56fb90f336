#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "language/Text.h"
#include "recording/GridShape.h"
#include "site/QuestionHtml.h"
#include "text/Html.h"

namespace haloscope::site {

namespace {

using lessons::AskedQuestion;
using lessons::Question;

/// A table of buttons for each plane, numbered as the board numbers its cells.
std::string boardHtml(const AskedQuestion& asked) {
  using Of = questions::CellSet::Of;
  const questions::CellSet& set = asked.answer.cells;
  const std::string what = set.of == Of::Array     ? set.array
                           : set.of == Of::Threads ? tr("threads of the block")
                                                   : tr("lanes of the warp");
  const recording::GridShape shape(set.extents);
  const lessons::Board& board = asked.board;
  std::string html =
      fmt::format("<p class=\"small\">{}</p>\n<div class=\"planes\" data-columns=\"{}\">",
                  set.of == Of::Array ? "<code>" + escaped(what) + "</code>" : escaped(what), board.columns());
  std::int64_t number = 0;
  for (std::int64_t z = 0; z < board.planes(); ++z) {
    const std::string plane = board.planes() > 1 ? fmt::format("{}, z = {}", what, board.low.z + z) : what;
    html += fmt::format("<table role=\"grid\" aria-label=\"{}\">", escaped(plane));
    if (board.planes() > 1) { html += fmt::format("<caption class=\"small\">z = {}</caption>", board.low.z + z); }
    for (std::int64_t y = 0; y < board.rows(); ++y) {
      html += "<tr>";
      for (std::int64_t x = 0; x < board.columns(); ++x, ++number) {
        const recording::GridPoint cell = board.cell(number);
        html += fmt::format(
            "<td><button type=\"button\" data-cell=\"{}\" aria-pressed=\"false\" tabindex=\"{}\"{} "
            "aria-label=\"{}\"></button></td>",
            number, number == 0 ? 0 : -1, shape.contains(cell) ? "" : " class=\"outside\"",
            escaped(questions::cellText(set, cell)));
      }
      html += "</tr>";
    }
    html += "</table>\n";
  }
  return html + "</div>";
}

}  // namespace

QuestionParts questionParts(const lessons::Lesson& lesson, std::size_t index, const AskedQuestion& asked,
                            const Surroundings& around) {
  const Question& question = lesson.questions[index];
  QuestionParts parts;
  parts.ask = spansHtml(question.ask, lesson, around);
  for (const lessons::Option& option : question.options) {
    parts.options.push_back(spansHtml(option.text, lesson, around));
  }
  if (question.kind == Question::Kind::Cells && asked.problem.empty()) { parts.board = boardHtml(asked); }
  return parts;
}

}  // namespace haloscope::site
