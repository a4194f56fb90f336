#pragma once

#include <string>
#include <vector>

#include "lessons/Course.h"
#include "lessons/LessonExecution.h"

namespace haloscope::lessons {

/// What `checkLesson` went through, and what it found.
struct CourseCheck {
  std::size_t links = 0, values = 0, questions = 0, animations = 0;
  std::vector<std::string> problems;     ///< "file:line: message"
  std::vector<std::string> notExecuted;  ///< the same: what this machine lacks; not in the numbers above
};

/// The lessons that are written in the course's own language, and its test.
[[nodiscard]] std::vector<const Lesson*> ownFiles(const Course& course);

/// What one language has and the other has not: lessons, and in them links, values, questions and their queries.
void compareLanguages(const Course& one, const Course& other, CourseCheck& check);

/// Looks up or executes every link, value, question and animation of a lesson, each question also with `draws` other
/// sets of numbers, and adds what fails.
void checkLesson(const Lesson& lesson, const Catalogue& catalogue, LessonExecution& execution, int draws,
                 CourseCheck& check);

}  // namespace haloscope::lessons
