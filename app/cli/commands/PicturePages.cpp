#include "commands/PicturePages.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "actions/BugLabTasks.h"
#include "actions/ExerciseActions.h"
#include "actions/LessonFollowing.h"
#include "actions/PlaygroundActions.h"
#include "actions/PresentingActions.h"
#include "actions/SessionActions.h"
#include "actions/StartPageActions.h"
#include "commands/StartingState.h"
#include "documents/SessionFile.h"
#include "documents/SessionFiles.h"
#include "exercises/Worked.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "state/ExerciseView.h"
#include "state/Playground.h"

namespace haloscope {

WindowPicture lessonPicture(const CommandContext& context, const PictureArguments& options) {
  if (!options.id.empty()) {
    throw InputError(trf("{}: --lesson shows the lesson's own kernel; leave out the variant", options.id));
  }
  AppState state = options.state;
  addResources(state, context.catalogue);
  if (options.lesson != "map") {
    static_cast<void>(state.lesson.course->at(options.lesson));
    openLesson(state, options.lesson);
    state.lesson.scrollTo.reset();
    if (options.question.empty()) { state.lesson.scrollTo = static_cast<float>(options.scroll); }
    state.lesson.scrollToQuestion = options.question;
  } else {
    openCourseMap(state);
    state.choice.kernel = context.catalogue.kernels().front().id;
  }
  return {std::move(state), options.picture};
}

WindowPicture startPagePicture(const CommandContext& context, const PictureArguments& options) {
  if (!options.id.empty()) {
    throw InputError(trf("{}: --start shows a kernel of its own; leave out the variant", options.id));
  }
  AppState state = options.state;
  addResources(state, context.catalogue);
  state.choice.kernel = kStartPicture;
  showStartPage(state);
  PictureOptions picture = options.picture;
  if (!picture.place.given()) { picture.place.step = kStartStep; }
  return {std::move(state), picture};
}

WindowPicture taskPicture(const CommandContext& context, const PictureArguments& options) {
  AppState state = options.state;
  addResources(state, context.catalogue);
  PictureOptions picture = options.picture;
  if (options.exercise) {
    const exercises::Exercise& exercise = shownExercise(state);
    exercises::Worked worked =
        exercises::workOut(exercise, exercises::beginning(exercise), state.catalogue, state.exercise.kernels);
    state.exercise.worked = std::make_shared<const exercises::Worked>(std::move(worked));
    showExerciseKernel(state);
    if (state.choice.kernel.empty()) { state.choice.kernel = kStartPicture; }  // no kernel executes these numbers
    picture.place.end = !picture.place.given();
  } else {
    if (state.bugLab.tasks().empty()) { throw InputError(tr("the bug lab has no tasks")); }
    openLabTask(state, state.bugLab.tasks().front());
    state.view.tabs.bringToFront(Tab::BugLab);
  }
  return {std::move(state), picture};
}

WindowPicture playPicture(const CommandContext& context, const PictureArguments& options) {
  if (!options.id.empty()) {
    throw InputError(
        trf("{}: --play shows the problem's own kernel, or that of --engine; leave out the variant", options.id));
  }
  const std::string id = options.play.find('/') == std::string::npos ? "playground/" + options.play : options.play;
  const ChosenKernel chosen = chosenKernel(context.catalogue, id, options.kernel);
  if (!chosen.file.problem) { throw InputError(trf("{} states no problem for the playground", id)); }
  AppState state = options.state;
  addResources(state, context.catalogue);
  state.view.tabs.enter(Workspace::Play);
  startProblem(state, id);
  state.playground.entered = true;
  state.fieldControls.run = false;
  const experiment::Choice asked = chosen.choice();
  for (const auto& [name, value] : asked.bindings) { state.choice.bindings[name] = value; }
  for (const auto& [name, data] : asked.data) { state.choice.data[name] = data; }
  for (const Tunable* tunable : chosen.file.coefficientsOfProblem()) {
    const auto given = asked.bindings.find(tunable->name);
    if (given != asked.bindings.end()) { chooseCoefficient(state, tunable->name, given->second); }
  }
  if (!options.filter.empty()) {
    const auto& filters = chosen.file.problem->filters;
    const auto found = std::ranges::find(filters, options.filter, &SweptProblem::Filter::name);
    if (found == filters.end()) { throw InputError(trf("--filter {}: {} has no such filter", options.filter, id)); }
    chooseFilter(state, found->weights);
  }
  if (!options.engine.empty()) {
    chooseEngine(state, options.engine);
    if (state.choice.kernel != options.engine) {
      throw InputError(trf("--engine {}: it does not compute {}", options.engine, id));
    }
  }
  return {std::move(state), options.picture};
}

WindowPicture scenePicture(const CommandContext& context, const PictureArguments& options) {
  if (!options.kernel.leaveLaunch() || !options.kernel.data.empty() || options.picture.place.given() ||
      options.picture.place.end || !options.block.empty() || !options.cell.empty() || options.finding) {
    throw InputError(
        trf("{} is a session, whose scenes say what is launched: leave out the other options", options.id));
  }
  AppState state = options.state;
  addResources(state, context.catalogue);
  Session session = readSession(options.id);
  const std::int64_t number = options.scene.value_or(1);
  if (number < 1 || number > static_cast<std::int64_t>(session.scenes.size())) {
    throw InputError(session.scenes.empty()
                         ? trf("{} has no scenes", options.id)
                         : trf("--scene {}: {} has scenes 1 to {}", number, options.id, session.scenes.size()));
  }
  unpack(session, state);
  state.program.awaited = true;  // of an own file
  session.listed = options.state.session.listed;
  state.session = std::move(session);
  goToScene(state, static_cast<std::size_t>(number - 1));
  if (state.problem) { throw InputError(state.problem->message); }
  if (context.language) { state.view.language = context.language; }
  return {std::move(state), options.picture};
}

}  // namespace haloscope
