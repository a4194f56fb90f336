#pragma once

#include <set>
#include <string>

namespace haloscope {

/// How far a reader has come in one lesson.
struct LessonProgress {
  bool read = false;               ///< was on screen down to its end
  std::set<std::string> answered;  ///< questions that were answered right, by id
  bool operator==(const LessonProgress&) const = default;
};

}  // namespace haloscope
