#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lessons/Course.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonFacts.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope {

/// Executes in the background what the lesson on screen asks for and, while nothing else is to be done, what the others
/// will ask for, the next one first. Also reads the course in the chosen language; until it is read, the one that was
/// read before stays.
class LessonRunner {
 public:
  explicit LessonRunner(work::Pool& pool);

  /// Once a frame, before it is drawn: takes what is ready. Never waits.
  void receive(AppState& state);
  /// Once a frame, after it was drawn, so that a page's words come first: asks for what is shown. `idle`: nothing else
  /// is being executed.
  void ask(AppState& state, bool idle);
  /// Waits for everything that the lesson on screen needs.
  void settle(AppState& state);
  /// The lesson on screen waits for something.
  [[nodiscard]] bool busy() const { return worker_.busy() || reader_.busy(); }
  /// A lesson that is not on screen is being worked out.
  [[nodiscard]] bool worksAhead() const { return ahead_.busy(); }

 private:
  using Facts = std::shared_ptr<const lessons::LessonFacts>;

  /// A lesson, with the numbers of its questions.
  struct Wanted {
    std::string lesson;
    std::map<std::string, std::uint64_t> seeds;  ///< by question
    Facts known;                                 ///< of the same lesson: what is not to be executed again
    bool operator==(const Wanted& other) const { return lesson == other.lesson && seeds == other.seeds; }
  };
  struct Request {
    std::shared_ptr<const lessons::Course> course;
    std::shared_ptr<const Catalogue> catalogue;
    std::vector<Wanted> lessons;  ///< in this order
    bool operator==(const Request& other) const { return course == other.course && lessons == other.lessons; }
  };
  struct Progress {
    std::shared_ptr<const lessons::Course> course;
    std::string lesson;
    Facts facts;
  };
  using Worker = work::Worker<Request, Progress>;

  /// What was executed stays for the next request: other numbers of a question mostly need the same kernels.
  struct Kept {
    std::shared_ptr<const Catalogue> catalogue;
    std::unique_ptr<lessons::LessonExecution> execution;
  };

  using Course = std::shared_ptr<const lessons::Course>;

  /// What course and manual are read from.
  struct Source {
    std::filesystem::path folder, manual;
    std::string language;
    std::shared_ptr<const Catalogue> catalogue;
    bool operator==(const Source&) const = default;
  };
  struct Books {
    Course course, manual;
  };

  void followLanguage(LessonView& view);
  /// Asks for the lesson on screen, unless nothing of it is missing; says so.
  bool follow(const AppState& state);
  void followAhead(const AppState& state);
  static void take(Worker& from, LessonView& view);
  static void execute(const Request& request, const Wanted& wanted, lessons::LessonExecution& execution,
                      work::Delivery<Progress>& delivery);
  [[nodiscard]] Wanted wantedOf(const LessonView& view, const lessons::Lesson& lesson) const;

  std::shared_ptr<const Catalogue> catalogue_;  ///< that the lessons were read with
  work::Worker<Source, Books> reader_;
  Worker worker_;
  Worker ahead_;
  std::string drawn_;    ///< the lesson on screen in the last frame
  std::string aheadOf_;  ///< the lesson that was on screen when ahead_ was asked
};

}  // namespace haloscope
