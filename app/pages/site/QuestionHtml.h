#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lessons/Lesson.h"
#include "lessons/LessonFacts.h"
#include "site/LessonHtml.h"

/// A lesson's question as HTML.
namespace haloscope::site {

/// What differs between two askings of a question with other numbers.
struct QuestionParts {
  std::string ask;
  std::vector<std::string> options;
  std::string board;  ///< of Question::Kind::Cells: a button for each cell
};
[[nodiscard]] QuestionParts questionParts(const lessons::Lesson& lesson, std::size_t question,
                                          const lessons::AskedQuestion& asked, const Surroundings& around);

/// The question as it was asked: words and answer, for a reader and for paper. `executes`: and a form, shown by the
/// page's script (assets/site/questions.js), which has the module ask and judge.
[[nodiscard]] std::string questionHtml(const lessons::Lesson& lesson, std::size_t question,
                                       const lessons::AskedQuestion& asked, const Surroundings& around, bool executes);

}  // namespace haloscope::site
