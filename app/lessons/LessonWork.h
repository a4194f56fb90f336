#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "lessons/Course.h"
#include "lessons/LessonExecution.h"
#include "lessons/LessonFacts.h"
#include "state/AppState.h"
#include "work/Worker.h"

namespace haloscope::lessons {

/// Executes in the background what the lesson on screen asks for, then what the next one will ask for, and reads the
/// course in the chosen language; until it is read, the one that was read before stays.
class LessonWork {
 public:
  explicit LessonWork(work::Pool& pool);

  /// Once a frame: asks for what is shown, takes what is ready. Never waits.
  void update(AppState& state);
  /// Waits for everything that the lesson on screen needs.
  void settle(AppState& state);
  [[nodiscard]] bool busy() const { return worker_.busy() || reader_.busy(); }

 private:
  using Facts = std::shared_ptr<const LessonFacts>;

  /// A lesson, with the numbers of its questions.
  struct Request {
    std::shared_ptr<const Course> course;
    std::shared_ptr<const Catalogue> catalogue;
    std::string lesson;
    std::map<std::string, std::uint64_t> seeds;  ///< by question
    Facts known;                                 ///< of the same lesson: what is not to be executed again
    bool operator==(const Request& other) const {
      return course == other.course && lesson == other.lesson && seeds == other.seeds;
    }
  };
  struct Progress {
    std::shared_ptr<const Course> course;
    std::string lesson;
    Facts facts;
  };

  /// What was executed stays for the next request: other numbers of a question mostly need the same kernels.
  struct Kept {
    std::shared_ptr<const Catalogue> catalogue;
    std::unique_ptr<LessonExecution> execution;
  };

  /// What a course is read from.
  struct Source {
    std::filesystem::path folder;
    std::string language;
    std::shared_ptr<const Catalogue> catalogue;
    bool operator==(const Source&) const = default;
  };

  void followLanguage(LessonView& view);
  void follow(AppState& state, bool ahead);
  static void execute(const Request& request, work::Delivery<Progress>& delivery, Kept& kept);
  [[nodiscard]] Request requestOf(const LessonView& view, const Lesson& lesson) const;

  std::shared_ptr<const Catalogue> catalogue_;  ///< that the lessons were read with
  work::Worker<Source, std::shared_ptr<const Course>> reader_;
  work::Worker<Request, Progress> worker_;
};

}  // namespace haloscope::lessons
