#pragma once

#include <string>

#include "grading/Grader.h"

namespace haloscope::grading {

/// What a student gets back: the verdict, the source with its findings at their lines, a picture of the first finding,
/// expected and computed values. It says nothing about other hand-ins or the teacher's machine.
[[nodiscard]] std::string studentPage(const GradedHandIn& row, const std::string& reference);

/// What the teacher gets: all hand-ins in a table. `title` names the folder; `pages` is the way from the report to the
/// students' pages, "students/" or empty: there are none.
[[nodiscard]] std::string reportPage(const Grading& grading, const std::string& title, const std::string& pages);

/// The lines of a text with marks at their lines. `around`: only so many lines before and after each; negative: all, if
/// the text is not too long.
[[nodiscard]] std::string sourceWithMarks(const SourceText& text, const std::vector<const Mark*>& marks,
                                          const std::string& anchor, int around);

}  // namespace haloscope::grading
