#pragma once

#include <string>

namespace haloscope::site {

// What scripts of a site say (assets/site), in the current language, as JSON.

[[nodiscard]] std::string lessonWords();
[[nodiscard]] std::string contentsWords();

}  // namespace haloscope::site
