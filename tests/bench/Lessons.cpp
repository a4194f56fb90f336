#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "BenchWindow.h"
#include "lessons/Course.h"
#include "lessons/Following.h"
#include "lessons/LessonFacts.h"

namespace {

using namespace haloscope;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Draws frames until one is drawn with what is waited for. Milliseconds; negative: it did not come.
double until(App& app, const std::function<bool()>& there) {
  constexpr int kLimitSeconds = 30;
  const auto begin = Clock::now();
  auto last = begin;
  do {
    const bool ready = there();
    const auto now = Clock::now();
    app.frame(std::chrono::duration<double>(now - last).count());
    glFinish();
    app.context().swap();
    last = now;
    if (ready) { return millisecondsSince(begin); }
  } while (Clock::now() - begin < std::chrono::seconds(kLimitSeconds));
  return -1;
}

struct Times {
  std::vector<std::pair<double, std::string>> all;

  void add(double milliseconds, const std::string& what) { all.emplace_back(milliseconds, what); }
  void print(const char* name) {
    if (all.empty()) { return; }
    std::ranges::sort(all);
    fmt::print("{:<44}{:>5}: median {:6.1f} ms, p90 {:6.1f} ms, longest {:6.1f} ms ({})\n", name, all.size(),
               all[all.size() / 2].first, all[all.size() * 9 / 10].first, all.back().first, all.back().second);
  }
};

}  // namespace

/// How long a reader waits, at 1280×720, without a display: for the first whole frame of a lesson's text with its
/// numbers, for its block and for all of its questions; for a question's other numbers. In the order of the course,
/// when the lesson before it has been read and was worked ahead; and from the map, when nothing is known of it.
///   bench_Lessons
int main() {
  AppOptions options = bench::windowOptions("stencil/tiled");
  options.state.lesson.course = std::make_shared<const lessons::Course>(
      lessons::Course::read(bench::folder("assets") / "lessons", "en", options.state.catalogue));
  App app(std::move(options), render::Context::offscreen(bench::offscreen(1280, 720)));
  app.settle();
  AppState& state = app.state();
  LessonView& view = state.lesson;
  const std::shared_ptr<const lessons::Course> course = view.course;  // its lessons outlive what replaces it below
  const std::vector<lessons::Lesson>& all = course->lessons;
  // The window works out what it has of a course once: nothing is known of a new one.
  const auto forget = [&] {
    view.course = std::make_shared<const lessons::Course>(*course);
    view.facts.clear();
  };
  const auto facts = [&](const std::string& id) {
    const auto found = view.facts.find(id);
    return found == view.facts.end() ? nullptr : found->second.get();
  };
  const auto block = [&](const lessons::Lesson& lesson) {
    return state.experiment != nullptr && state.experiment->file.id == lesson.setting.kernel && !state.computing &&
           !state.cursor.empty() && state.cursor.shared() == state.experiment->recording;
  };
  Times text, textAhead, whole, wholeAhead, scene, again, answer;
  for (const bool ahead : {false, true}) {
    forget();
    for (const lessons::Lesson& lesson : all) {
      if (!ahead) {  // nothing worked ahead for it
        lessons::openCourseMap(state);
        app.settle();
        forget();
      }
      const auto begin = Clock::now();
      lessons::openLesson(state, lesson.id);
      (ahead ? textAhead : text).add(until(app, [&] { return facts(lesson.id) != nullptr; }), lesson.id);
      until(app, [&] { return block(lesson); });
      if (!ahead) { scene.add(millisecondsSince(begin), lesson.id); }
      until(app, [&] { return facts(lesson.id)->answers(lesson, {}); });
      (ahead ? wholeAhead : whole).add(millisecondsSince(begin), lesson.id);
      if (ahead) {
        if (const lessons::Lesson* next = view.course->neighbour(lesson.id, 1)) {
          until(app, [&] { return facts(next->id) != nullptr && facts(next->id)->answers(*next, {}); });
        }
        continue;
      }
      for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
        const lessons::Question& question = lesson.questions[i];
        Attempt& attempt = view.attempts[{lesson.id, question.id}];
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
  }
  fmt::print("OpenGL: {}\n", state.glRenderer);
  text.print("a lesson's text with its numbers");
  scene.print("... and its block");
  whole.print("... and all of its questions");
  textAhead.print("the next lesson's text");
  wholeAhead.print("... its block and all of its questions");
  again.print("a question with other numbers");
  answer.print("an answer judged");
  return 0;
}
