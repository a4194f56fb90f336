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
#include "lessons/CourseTest.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "state/Playback.h"

namespace haloscope::lessons {
struct Course;
struct LessonFacts;
}  // namespace haloscope::lessons

namespace haloscope {

/// An animation in a lesson's text: it stands still until it is played.
struct StepsPlayer {
  std::shared_ptr<const experiment::Experiment> experiment;
  recording::Cursor cursor;
  std::size_t from = 0, to = 0;  ///< its first and last position
  std::uint32_t thread = 0;      ///< whose reads are drawn
  Playback playback;
  recording::BlockView view;  ///< at the cursor's position
  std::size_t viewed = 0;     ///< the position of `view`

  StepsPlayer() = default;
  /// At its beginning.
  StepsPlayer(std::shared_ptr<const experiment::Experiment> of, std::size_t first, std::size_t last);

  void goTo(std::size_t position);  ///< within its steps
  /// From its end it plays from its beginning again.
  void playOrPause();
  /// Lets time pass. It stops at its end.
  void walk(double seconds);

 private:
  void look();
};

/// How far a reader has come in one lesson.
struct LessonProgress {
  bool read = false;               ///< was on screen down to its end
  std::set<std::string> answered;  ///< questions that were answered right, by id
  bool operator==(const LessonProgress&) const = default;
};

/// The course, and where its reader is; beside it the manual, in the same language.
struct LessonView {
  std::shared_ptr<const lessons::Course> course;    ///< null: not read yet
  std::shared_ptr<const lessons::Course> manual{};  ///< null: not read yet
  std::string shown;                                ///< the lesson on screen, by id; empty: the map of the course
  std::string last;  ///< the lesson that was open last, also before the program was started
  std::map<std::string, LessonProgress> progress{};  ///< by lesson
  lessons::TestResults results{};                    ///< of the course's test, also before the program was started
  std::optional<lessons::TestTime> testing{};        ///< which of the two is on screen, when `shown` is the test
  lessons::TestResult sitting{};                     ///< what is being answered: its seed, until it is finished
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
