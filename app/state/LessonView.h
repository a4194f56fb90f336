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
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "state/LessonProgress.h"
#include "state/Playback.h"

namespace haloscope::lessons {
struct Course;
struct LessonFacts;
struct WindowLink;
}  // namespace haloscope::lessons

namespace haloscope {

/// What a reader did with a question since it was asked with these numbers.
struct Attempt {
  std::uint64_t seed = 0;             ///< of the numbers; 0: those of the file
  std::string typed;                  ///< a number
  std::optional<std::size_t> option;  ///< of a choice
  std::set<std::int64_t> cells;       ///< those clicked on, as LessonFacts numbers them
  std::optional<int> line;
  enum class Verdict : std::uint8_t { Open, Wrong, Right };
  Verdict verdict = Verdict::Open;
  bool revealed = false;  ///< the answer was shown: it counts as answered only with other numbers
  std::string complaint;  ///< about something typed that is not a number
};

/// An animation in a lesson's text: it stands still until it is played.
struct StepsPlayer {
  std::shared_ptr<const experiment::Experiment> experiment;
  recording::Cursor cursor;
  std::size_t from = 0, to = 0;  ///< its first and last position
  Playback playback;
  recording::BlockView view;  ///< at the cursor's position
  std::size_t viewed = 0;     ///< the position of `view`
};

/// The course, and where its reader is.
struct LessonView {
  std::shared_ptr<const lessons::Course> course;  ///< null: not read yet
  std::string shown;                              ///< the lesson on screen, by id; empty: the map of the course
  std::string last;  ///< the lesson that was open last, also before the program was started
  std::map<std::string, LessonProgress> progress{};                            ///< by lesson
  std::map<std::pair<std::string, std::string>, Attempt> attempts{};           ///< by lesson and question
  std::map<std::string, std::shared_ptr<const lessons::LessonFacts>> facts{};  ///< by lesson: what was executed for it
  experiment::Choice linked{};  ///< what the last link chose: the next two belong to nothing else
  std::shared_ptr<const lessons::WindowLink> awaited{};  ///< its place is shown as soon as it has been executed
  std::optional<std::pair<std::string, std::size_t>> followed{};         ///< lesson and link that the window is at
  std::map<std::pair<std::string, std::size_t>, StepsPlayer> players{};  ///< by lesson and animation
  std::string problem{};                                                 ///< why a link could not be followed
  std::optional<float> scrollTo{};                                       ///< share of the page; consumed by the panel
  std::string scrollToQuestion{};                                        ///< likewise
};

}  // namespace haloscope
