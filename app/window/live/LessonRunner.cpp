#include "live/LessonRunner.h"

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "actions/LessonFollowing.h"
#include "language/Language.h"

namespace haloscope {

using lessons::AnimatedSteps;
using lessons::AskedQuestion;
using lessons::Lesson;
using lessons::LessonExecution;
using lessons::LessonFacts;

namespace {

/// Numbers appear together where they come so close to each other.
constexpr std::chrono::milliseconds kTogether{30};

/// The facts of one lesson as they come in.
class Publisher {
 public:
  explicit Publisher(std::function<void(std::shared_ptr<const LessonFacts>)> publish) : publish_(std::move(publish)) {}

  LessonFacts facts;

  void publish() {
    publish_(std::make_shared<const LessonFacts>(facts));
    last_ = std::chrono::steady_clock::now();
  }
  void publishNowAndThen() {
    if (std::chrono::steady_clock::now() - last_ >= kTogether) { publish(); }
  }

 private:
  std::function<void(std::shared_ptr<const LessonFacts>)> publish_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void workValues(const Lesson& lesson, LessonExecution& execution, Publisher& to) {
  for (std::size_t i = 0; i < lesson.values.size(); ++i) {
    const lessons::Value& value = lesson.values[i];
    if (value.question || to.facts.values.contains(i)) { continue; }
    try {
      to.facts.values[i] = execution.value(value, lesson.setting);
    } catch (const UserError& error) {
      to.facts.values[i].text = "?";
      to.facts.problems.emplace_back(lesson.path.string(), SourceRange{value.line, 1, value.line, 1}, error.message());
    } catch (const MissingError& error) { to.facts.values[i] = {"?", {}, error.what()}; }
    to.publishNowAndThen();
  }
  to.facts.hasValues = true;
  to.publish();
}

void workAnimations(const Lesson& lesson, LessonExecution& execution, Publisher& to) {
  for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
    if (to.facts.animations[i] != nullptr) { continue; }
    AnimatedSteps animated;
    try {
      animated = execution.animate(lesson, lesson.steps[i]);
    } catch (const UserError& error) { animated.problem = error.message(); }
    to.facts.animations[i] = std::make_shared<const AnimatedSteps>(std::move(animated));
    to.publish();
  }
}

void workQuestions(const Lesson& lesson, const std::map<std::string, std::uint64_t>& seeds, LessonExecution& execution,
                   Publisher& to) {
  for (std::size_t i = 0; i < lesson.questions.size(); ++i) {
    const std::uint64_t seed = seeds.at(lesson.questions[i].id);
    if (to.facts.questions[i] != nullptr && to.facts.questions[i]->seed == seed) { continue; }
    AskedQuestion asked;
    asked.seed = seed;
    try {
      asked = execution.ask(lesson, i, seed);
    } catch (const UserError& error) { asked.problem = error.message(); } catch (const MissingError& error) {
      asked.problem = error.what();
    }
    to.facts.questions[i] = std::make_shared<const AskedQuestion>(std::move(asked));
    to.publish();
  }
}

/// Whether a lesson may be opened with the next click: only then is it worth the work.
bool courseIsNear(const AppState& state) { return state.start.shown || state.view.tabs.inFront(Tab::Lesson); }

}  // namespace

LessonRunner::LessonRunner(work::Pool& pool)
    : reader_(pool, {work::Priority::Foreground, work::Cores::One},
              [](const Source& from, const std::stop_token&) {
                return Books{
                    std::make_shared<const lessons::Course>(
                        lessons::Course::read(from.folder, from.language, *from.catalogue)),
                    std::make_shared<const lessons::Course>(lessons::Course::readManual(from.manual, from.language))};
              }),
      worker_(pool, {work::Priority::Foreground, work::Cores::All},
              [kept = std::make_shared<Kept>()](const Request& request, work::Delivery<Progress>& delivery) {
                if (kept->catalogue != request.catalogue) {
                  kept->execution = std::make_unique<LessonExecution>(*request.catalogue);
                  kept->catalogue = request.catalogue;
                }
                for (const Wanted& wanted : request.lessons) { execute(request, wanted, *kept->execution, delivery); }
              }),
      ahead_(pool, {work::Priority::Background, work::Cores::One},
             [](const Request& request, work::Delivery<Progress>& delivery) {
               for (const Wanted& wanted : request.lessons) {
                 if (delivery.stop().stop_requested()) { return; }
                 LessonExecution execution(*request.catalogue);  // its arrays do not stay for the whole course
                 execute(request, wanted, execution, delivery);
               }
             }) {}

void LessonRunner::followLanguage(LessonView& view) {
  const char* const code = languageCode(language());
  if (view.course->language == code) { return reader_.cancel(); }
  reader_.follow({view.course->folder, view.manual != nullptr ? view.manual->folder : "", code, catalogue_});
  const auto books = reader_.poll();
  if (!books) { return; }
  view.course = books->course;
  view.manual = books->manual;
  view.facts.clear();
  // What was said in the other language.
  view.problem.clear();
  for (auto& [question, attempt] : view.attempts) { attempt.complaint.clear(); }
}

LessonRunner::Wanted LessonRunner::wantedOf(const LessonView& view, const Lesson& lesson) const {
  Wanted wanted{lesson.id, {}, nullptr};
  for (const lessons::Question& question : lesson.questions) {
    const auto attempt = view.attempts.find({lesson.id, question.id});
    wanted.seeds[question.id] = attempt == view.attempts.end() ? 0 : attempt->second.seed;
  }
  if (const auto known = view.facts.find(lesson.id); known != view.facts.end()) { wanted.known = known->second; }
  return wanted;
}

void LessonRunner::take(Worker& from, LessonView& view) {
  while (auto progress = from.poll()) {
    if (progress->course == view.course) { view.facts[progress->lesson] = std::move(progress->facts); }
  }
}

void LessonRunner::receive(AppState& state) {
  LessonView& view = state.lesson;
  if (view.course == nullptr) { return; }
  if (catalogue_ == nullptr) { catalogue_ = std::make_shared<const Catalogue>(state.catalogue); }
  followLanguage(view);
  take(ahead_, view);
  take(worker_, view);
  // The first frame with another lesson has the cores for itself.
  if (view.shown != drawn_ && ahead_.busy()) { ahead_.cancel(); }
}

void LessonRunner::ask(AppState& state, bool idle) {
  // A frame is drawn to its end only after this: what a lesson asks for begins in the next one.
  if (state.lesson.course == nullptr || std::exchange(drawn_, state.lesson.shown) != state.lesson.shown) { return; }
  const bool ready = follow(state);
  if (ready && idle && !reader_.busy() && courseIsNear(state)) {
    followAhead(state);
  } else if (ahead_.busy()) {
    ahead_.cancel();
  }
}

bool LessonRunner::follow(const AppState& state) {
  const LessonView& view = state.lesson;
  const Lesson* const lesson = shownLesson(state);
  if (lesson == nullptr || catalogue_ == nullptr) { return true; }
  Wanted wanted = wantedOf(view, *lesson);
  if (wanted.known != nullptr && wanted.known->answers(*lesson, wanted.seeds)) { return true; }
  Request request{view.course, catalogue_, {std::move(wanted)}};
  if (worker_.busy()) {
    worker_.follow(std::move(request));
  } else {
    worker_.request(std::move(request));
  }
  return false;
}

void LessonRunner::followAhead(const AppState& state) {
  const LessonView& view = state.lesson;
  const std::vector<Lesson>& all = view.course->lessons;
  const std::string& from = view.shown.empty() ? view.last : view.shown;
  if (ahead_.busy() && aheadOf_ == from) { return; }
  std::size_t first = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].id == from) { first = i; }
  }
  Request request{view.course, catalogue_, {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Lesson& lesson = all[(first + i) % all.size()];
    Wanted wanted = wantedOf(view, lesson);
    const bool known = wanted.known != nullptr && wanted.known->answers(lesson, wanted.seeds);
    if (!known) { request.lessons.push_back(std::move(wanted)); }
  }
  if (request.lessons.empty()) { return; }
  aheadOf_ = from;
  ahead_.request(std::move(request));
}

void LessonRunner::settle(AppState& state) {
  const auto step = [&] {
    receive(state);
    follow(state);
  };
  for (step(); busy(); step()) {
    reader_.finish();
    worker_.finish();
  }
}

void LessonRunner::execute(const Request& request, const Wanted& wanted, LessonExecution& execution,
                           work::Delivery<Progress>& delivery) {
  const Lesson& lesson = *request.course->find(wanted.lesson);
  execution.stopWith(delivery.stop());
  Publisher to([&](std::shared_ptr<const LessonFacts> facts) {
    delivery.publish({request.course, wanted.lesson, std::move(facts)});
  });
  if (wanted.known != nullptr) { to.facts = *wanted.known; }
  to.facts.questions.resize(lesson.questions.size());
  to.facts.animations.resize(lesson.steps.size());
  try {
    workValues(lesson, execution, to);
    workAnimations(lesson, execution, to);
    workQuestions(lesson, wanted.seeds, execution, to);
  } catch (const experiment::Cancelled&) { return; }
}

}  // namespace haloscope
