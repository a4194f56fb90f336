#pragma once

#include <string>

namespace haloscope::site {

/// What the script of a lesson says (assets/site/lesson.js), in the current language, as JSON.
[[nodiscard]] std::string lessonWords();

}  // namespace haloscope::site
