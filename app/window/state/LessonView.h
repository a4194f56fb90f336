#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "experiment/Experiment.h"
#include "lessons/Attempt.h"
#include "state/LessonProgress.h"
#include "state/StepsPlayer.h"

namespace haloscope::lessons {
struct Course;
struct LessonFacts;
}  // namespace haloscope::lessons

namespace haloscope {

/// The course, and where its reader is; beside it the manual, in the same language.
struct LessonView {
  std::shared_ptr<const lessons::Course> course;    ///< null: not read yet
  std::shared_ptr<const lessons::Course> manual{};  ///< null: not read yet
  std::string shown;                                ///< the lesson on screen, by id; empty: the map of the course
  std::string last;  ///< the lesson that was open last, also before the program was started
  std::map<std::string, LessonProgress> progress{};                            ///< by lesson
  std::map<std::pair<std::string, std::string>, lessons::Attempt> attempts{};  ///< by lesson and question
  std::map<std::string, std::shared_ptr<const lessons::LessonFacts>> facts{};  ///< by lesson: what was executed for it
  std::optional<std::pair<std::string, std::size_t>>
      followed{};  ///< lesson and link that the window is at, until something else is chosen
  std::map<std::pair<std::string, std::size_t>, StepsPlayer> players{};  ///< by lesson and animation
  std::string hinted{};             ///< the lesson that explains what its links do; it goes on when one was followed
  std::string problem{};            ///< why a link could not be followed
  float scroll = 0;                 ///< share of the page that the reader has come down
  std::optional<float> scrollTo{};  ///< share of the page; consumed by the panel
  std::string scrollToQuestion{};   ///< likewise
};

}  // namespace haloscope
