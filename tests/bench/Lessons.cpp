#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "BenchWindow.h"
#include "actions/LessonFollowing.h"
#include "lessons/Course.h"
#include "lessons/LessonFacts.h"
#include "lowering/ServeCompiler.h"

namespace {

using namespace haloscope;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Draws at least one frame, and frames until one is drawn with what is waited for. Milliseconds; negative: it did not
/// come.
double until(App& app, const std::function<bool()>& there) {
  constexpr int kLimitSeconds = 60;
  const auto begin = Clock::now();
  auto last = begin;
  do {
    const auto now = Clock::now();
    app.frame(std::chrono::duration<double>(now - last).count());
    glFinish();
    app.context().swap();
    last = now;
    if (there()) { return millisecondsSince(begin); }
  } while (Clock::now() - begin < std::chrono::seconds(kLimitSeconds));
  return -1;
}

struct Times {
  std::vector<std::pair<double, std::string>> all;

  void add(double milliseconds, const std::string& what) { all.emplace_back(milliseconds, what); }
  void print(const char* name) {
    if (all.empty()) { return; }
    std::ranges::sort(all);
    fmt::print("{:<52}{:>5}: median {:6.1f} ms, p90 {:6.1f} ms, longest {:6.1f} ms ({})\n", name, all.size(),
               all[all.size() / 2].first, all[all.size() * 9 / 10].first, all.back().first, all.back().second);
  }
};

/// What a reader waits for after opening a lesson.
struct Opening {
  Times text, numbers, block, questions;

  void print() {
    text.print("  first frame: its words and formulas");
    numbers.print("  ... with all numbers of its text");
    block.print("  ... and its block in the scene");
    questions.print("  ... and all animations and questions");
  }
};

}  // namespace

/// How long a reader waits for a lesson, at 1280×720, without a display. "Cold": nothing of the lesson was executed
/// before, neither for it nor for another one. "Ahead": after the window has worked the course ahead while it was
/// idle. Each time is from the click to the end of the frame that shows it. Then a question's other numbers, and the
/// judgement of an answer.
///   bench_Lessons
int main(int argc, char** argv) {
  if (const auto status = haloscope::lowering::serveIfAsked(argc, argv)) { return *status; }
  AppOptions options = bench::windowOptions("stencil/tiled");
  const auto read = [&](const Catalogue& catalogue) {
    return std::make_shared<const lessons::Course>(
        lessons::Course::read(bench::folder("assets") / "lessons", "en", catalogue));
  };
  options.state.lesson.course = read(options.state.catalogue);
  App app(std::move(options), render::Context::offscreen(bench::offscreen(1280, 720)));
  app.settle();
  AppState& state = app.state();
  LessonView& view = state.lesson;
  const std::vector<lessons::Lesson> all = view.course->lessons;
  const auto facts = [&](const std::string& id) {
    const auto found = view.facts.find(id);
    return found == view.facts.end() ? nullptr : found->second.get();
  };
  const auto whole = [&](const lessons::Lesson& lesson) {
    return facts(lesson.id) != nullptr && facts(lesson.id)->answers(lesson, {});
  };
  const auto open = [&](const lessons::Lesson& lesson, Opening& times) {
    const auto begin = Clock::now();
    openLesson(state, lesson.id);
    until(app, [] { return true; });
    times.text.add(millisecondsSince(begin), lesson.id);
    const auto wait = [&](Times& to, const std::function<bool()>& there) {
      if (!there() && until(app, there) < 0) { fmt::print("{}: not there after a minute\n", lesson.id); }
      to.add(millisecondsSince(begin), lesson.id);
    };
    wait(times.numbers, [&] { return facts(lesson.id) != nullptr && facts(lesson.id)->hasValues; });
    wait(times.block, [&] {
      return state.experiment != nullptr && state.experiment->file.id == lesson.setting.kernel && !state.computing;
    });
    wait(times.questions, [&] { return whole(lesson); });
  };

  Opening cold, ahead;
  Times again, answer;
  for (const lessons::Lesson& lesson : all) {
    openCourseMap(state);
    app.settle();
    // A course of its own: what was worked out ahead belongs to another one.
    view.course = std::make_shared<const lessons::Course>(*view.course);
    view.facts.clear();
    open(lesson, cold);
    for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
      const lessons::Question& question = lesson.questions[i];
      lessons::Attempt& attempt = view.attempts[{lesson.id, question.id}];
      const auto judged = Clock::now();
      lessons::judge(question, *facts(lesson.id)->questions[i], attempt);
      answer.add(millisecondsSince(judged), lesson.id + "/" + question.id);
      if (question.again.empty()) { continue; }
      ++attempt.seed;
      again.add(until(app, [&] { return facts(lesson.id)->questions[i]->seed == attempt.seed; }),
                lesson.id + "/" + question.id);
    }
    view.attempts.clear();
  }
  openCourseMap(state);
  const double course = until(app, [&] { return std::ranges::all_of(all, whole); });
  for (const lessons::Lesson& lesson : all) { open(lesson, ahead); }

  fmt::print("OpenGL: {}\n", state.glRenderer);
  fmt::print("Opening a lesson, cold\n");
  cold.print();
  fmt::print("Opening a lesson, worked ahead (the rest of the course took {:.1f} s)\n", course / 1e3);
  ahead.print();
  again.print("A question with other numbers");
  answer.print("An answer judged");
  return 0;
}
