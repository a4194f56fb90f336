#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "catalogue/Catalogue.h"
#include "lessons/Lesson.h"
#include "lessons/Setting.h"

namespace haloscope::handout {

/// With so many other numbers a page can ask a question again: seeds 1 to this.
inline constexpr std::uint64_t kSeedsOfPage = 24;

/// All settings that asking these questions of the lesson executes, with the numbers of the file and of kSeedsOfPage
/// draws.
[[nodiscard]] std::vector<lessons::Setting> settingsOfQuestions(const lessons::Lesson& lesson,
                                                                const std::set<std::size_t>& questions,
                                                                const Catalogue& catalogue);

/// These questions of the lesson for the module (app/pages/module/LessonDesk.h), as a container(): with the programs of
/// the kernels and the recorded numbers that they need. `address`: see lessons::storedLesson().
[[nodiscard]] std::string liveLesson(const lessons::Lesson& lesson, const std::set<std::size_t>& questions,
                                     const Catalogue& catalogue,
                                     const std::function<std::string(const lessons::Link&)>& address);

}  // namespace haloscope::handout
