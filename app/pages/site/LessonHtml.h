#pragma once

#include <functional>
#include <string>

#include "lessons/Lesson.h"
#include "lessons/LessonText.h"

/// Lessons and pages of the manual as HTML.
namespace haloscope::site {

/// A formula as MathML; `display`: on a line of its own.
[[nodiscard]] std::string formulaHtml(const std::string& tex, const lessons::ComputedValue& values, bool display);

/// What the text of a lesson needs to know of the site around it.
struct Surroundings {
  lessons::ComputedValue values;
  std::function<std::string(const lessons::Link&)> address;        ///< empty: the words alone
  std::function<std::string(const lessons::Block&)> picture;       ///< the address of a picture
  std::function<std::string(std::size_t question)> question = {};  ///< as HTML
};

[[nodiscard]] std::string spansHtml(const lessons::Spans& spans, const lessons::Lesson& lesson,
                                    const Surroundings& around);
/// All blocks; headings begin with <h2>.
[[nodiscard]] std::string lessonHtml(const lessons::Lesson& lesson, const Surroundings& around);

}  // namespace haloscope::site
