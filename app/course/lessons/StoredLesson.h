#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>

#include "lessons/Lesson.h"

namespace haloscope::lessons {

/// The questions of a lesson, with the values in their texts and its links: what a page keeps to execute them. Each
/// link becomes the address that is given for it; empty: its words alone are left.
[[nodiscard]] nlohmann::json storedLesson(const Lesson& lesson, const std::function<std::string(const Link&)>& address);

/// The lesson that was stored: without blocks and animations, its links as Link::Kind::Web. Throws InputError for
/// anything else.
[[nodiscard]] Lesson readStoredLesson(const nlohmann::json& stored);

}  // namespace haloscope::lessons
