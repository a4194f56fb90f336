#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "module/Message.h"

/// The questions of a lesson in its page: each function answers a request with a container().
namespace haloscope::handout {

/// What liveLesson() made. The kernels of the page are those of the lesson from now on.
[[nodiscard]] std::string openLesson(Message message);

/// {question, seed}: what it asks with these numbers, as HTML.
[[nodiscard]] std::string askQuestion(const nlohmann::json& asked);

/// {question, seed} and the answer, {typed}, {option}, {cells} or {line}: whether it is right. With {tell: true}: the
/// right one.
[[nodiscard]] std::string judgeAnswer(const nlohmann::json& asked);

}  // namespace haloscope::handout
