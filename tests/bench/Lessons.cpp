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
/// numbers, for its block and for all of its questions; for a question's other numbers. Once from the last lesson to
/// the first, so that nothing is known of a lesson when it is opened, and once in the order of the course, in which
/// each has been worked ahead while the one before it was read.
///   bench_Lessons
int main() {
  Times text, textAhead, whole, wholeAhead, again, answer;
  std::string renderer;
  for (const bool ahead : {false, true}) {
    AppOptions options = bench::windowOptions("stencil/tiled");
    options.state.lesson.course = std::make_shared<const lessons::Course>(
        lessons::Course::read(bench::folder("assets") / "lessons", "en", options.state.catalogue));
    App app(std::move(options), render::Context::offscreen(bench::offscreen(1280, 720)));
    app.settle();
    AppState& state = app.state();
    LessonView& view = state.lesson;
    renderer = state.glRenderer;
    std::vector<const lessons::Lesson*> order;
    for (const lessons::Lesson& lesson : view.course->lessons) { order.push_back(&lesson); }
    if (!ahead) { std::ranges::reverse(order); }
    const auto complete = [&](const lessons::Lesson& lesson) {
      const auto found = view.facts.find(lesson.id);
      return found != view.facts.end() && found->second->answers(lesson, {});
    };
    for (const lessons::Lesson* lesson : order) {
      const auto begin = Clock::now();
      lessons::openLesson(state, lesson->id);
      (ahead ? textAhead : text).add(until(app, [&] { return view.facts.contains(lesson->id); }), lesson->id);
      until(app, [&] {
        return !state.computing && state.experiment != nullptr && state.experiment->file.id == lesson->setting.kernel;
      });
      until(app, [&] { return complete(*lesson); });
      if (!complete(*lesson)) {
        fmt::print("{}: not all of it was executed\n", lesson->id);
        return 1;
      }
      (ahead ? wholeAhead : whole).add(millisecondsSince(begin), lesson->id);
      if (ahead) {
        const lessons::Lesson* next = view.course->neighbour(lesson->id, 1);
        until(app, [&] { return next == nullptr || complete(*next); });
        continue;
      }
      for (std::size_t i = 0; i < lesson->questions.size(); ++i) {
        const lessons::Question& question = lesson->questions[i];
        const std::string name = lesson->id + "/" + question.id;
        Attempt& attempt = view.attempts[{lesson->id, question.id}];
        const auto asked = [&] { return view.facts.at(lesson->id)->questions[i]; };
        const auto judged = Clock::now();
        lessons::judge(question, *asked(), attempt);
        answer.add(millisecondsSince(judged), name);
        if (question.again.empty()) { continue; }
        ++attempt.seed;
        again.add(until(app, [&] { return asked()->seed == attempt.seed; }), name);
      }
    }
  }
  fmt::print("OpenGL: {}\n", renderer);
  text.print("a lesson's text with its numbers");
  whole.print("... its block and all of its questions");
  textAhead.print("the next lesson's text");
  wholeAhead.print("... its block and all of its questions");
  again.print("a question with other numbers");
  answer.print("an answer judged");
  return 0;
}
