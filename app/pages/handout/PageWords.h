#pragma once

#include <string>

namespace haloscope::handout {

/// The texts that a page's script shows, in the current language, as a JSON object; {0} and {1} are filled in there.
[[nodiscard]] std::string pageWords();

}  // namespace haloscope::handout
