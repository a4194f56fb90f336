#pragma once

#include <string>

#include "lessons/Course.h"

/// The manual, which F1 opens in the window and `haloscope help` prints.
namespace haloscope {

/// Its pages in the language of all texts. Throws InputError if the program has none.
[[nodiscard]] lessons::Course readManual();

/// The page of that id, or the one that explains the command of that name; nullptr if there is none.
[[nodiscard]] const lessons::Lesson* pageAbout(const lessons::Course& manual, const std::string& topic);
/// The same. Throws InputError, which names the nearest topics.
[[nodiscard]] const lessons::Lesson& pageAt(const lessons::Course& manual, const std::string& topic);

}  // namespace haloscope
