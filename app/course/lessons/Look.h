#pragma once

#include "catalogue/Catalogue.h"
#include "lessons/Lesson.h"
#include "lessons/Setting.h"
#include "lessons/WindowLink.h"

namespace haloscope::lessons {

/// Where a wrong answer to a question sends the reader, with the numbers drawn for it. Throws InputError.
[[nodiscard]] WindowLink lookOf(const Question& question, const Setting& drawn, const Catalogue& catalogue);

}  // namespace haloscope::lessons
