#include "commands/PictureArguments.h"

#include <algorithm>
#include <span>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <utility>

#include "actions/BugLabTasks.h"
#include "actions/ExerciseActions.h"
#include "actions/LessonFollowing.h"
#include "actions/MakeActions.h"
#include "actions/PlaygroundActions.h"
#include "actions/PresentingActions.h"
#include "actions/SessionActions.h"
#include "actions/StartPageActions.h"
#include "actions/ViewActions.h"
#include "commands/ManualPages.h"
#include "commands/StartingState.h"
#include "documents/SessionFile.h"
#include "documents/SessionFiles.h"
#include "exercises/Worked.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "options/OutputCell.h"
#include "parts/FigureList.h"
#include "program/SourceLocation.h"
#include "state/ExerciseView.h"
#include "state/Playground.h"
#include "state/Session.h"

namespace haloscope {

namespace {

// Pictures of what shows a kernel of its own. Each throws InputError for an option that would be ignored.

/// The window with a lesson open.
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

/// The start page, with a kernel of its own behind it.
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

/// The window with an exercise beside the kernel that executes it, with a task in which a kernel is written, or with
/// the first task of the bug lab.
WindowPicture taskPicture(const CommandContext& context, const PictureArguments& options) {
  AppState state = options.state;
  addResources(state, context.catalogue);
  PictureOptions picture = options.picture;
  if (!options.make.empty()) {
    const making::MakeTask* const task = making::findTask(state.make.tasks, options.make);
    if (task == nullptr) { throw InputError(trf("--make {}: haloscope make lists the tasks", options.make)); }
    openMakeTask(state, *task);
    state.view.tabs.bringToFront(Tab::Make);
    state.make.progress[task->id].help = MakeHelp::Hints;
    if (!options.solution.empty()) {
      WorkingCopy& copy = state.copies[task->skeleton.id];
      copy.id = task->skeleton.id;
      copy.fileText = task->skeleton.text;
      copy.setText(opening::readOpenedText(options.solution));
      checkSolution(state);
    }
  } else if (options.exercise) {
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

/// The playground with a problem.
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

/// A scene of a session; the window's options apply, the kernel's do not.
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

/// "layout", "opb, tail or registers"
std::string either(const std::vector<std::string>& figures) {
  if (figures.size() == 1) { return figures.front(); }
  return trf("{} or {}", fmt::join(std::span(figures).first(figures.size() - 1), ", "), figures.back());
}

/// Throws InputError for a position that the recording does not have.
void expectPlace(const Place& place, const recording::Recording& recording) {
  const auto expect = [](const char* what, const std::optional<std::int64_t>& value, std::size_t last) {
    if (value && (*value < 0 || static_cast<std::size_t>(*value) > last)) {
      throw InputError(trf("--{} {}: this block's execution has 0 to {}", what, *value, last));
    }
  };
  expect("step", place.step, recording.steps.size());
  expect("barrier", place.barrier, recording.intervals.size() - 1);
  if (place.plane && recording.planes.empty()) {
    throw InputError(trf("--plane {}: this kernel does not march through planes", *place.plane));
  }
  expect("plane", place.plane, recording.planes.size() - 1);
}

/// The block of the picture, executed: the one that is asked for, else the one that writes the output cell, else an
/// interior one. Fills in the choice's block and the selected element. Throws InputError.
std::shared_ptr<const experiment::Experiment> record(const PictureArguments& options, const KernelFile& file,
                                                     experiment::Choice& choice, std::optional<std::int64_t>& element) {
  if (!options.cell.empty() && options.block.empty()) {
    WrittenCell written = experimentWriting(file, choice, options.cell);
    choice.block = written.experiment->block;
    element = written.element;
    return std::move(written.experiment);
  }
  experiment::RunOptions run;
  run.countGrid = false;
  auto recorded = experiment::run(file, choice, run);
  if (options.cell.empty()) { return recorded; }
  const ObjectId output = recorded->footprint.output;
  if (output == kNone) { throw InputError(trf("--output-cell {}: the block writes no array", options.cell)); }
  element = parseCell(options.cell, recorded->program->objects[output].name, recorded->footprint.outputExtents);
  if (!recorded->writes.writer(*element)) {
    throw InputError(
        trf("--output-cell {}: block {} does not write this element; without --block the one that "
            "does is shown",
            options.cell, options.block));
  }
  return recorded;
}

/// The experiment as the window would make it, which knows an opened file by its absolute path.
std::shared_ptr<const experiment::Experiment> asInWindow(const std::shared_ptr<const experiment::Experiment>& made,
                                                         const AppState& state) {
  if (!state.fileRequests.text || made->file.path == state.fileRequests.text->path) { return made; }
  auto same = std::make_shared<experiment::Experiment>(*made);
  same->file.path = state.fileRequests.text->path;
  return same;
}

}  // namespace

void PictureFigures::addTo(CLI::App& command) {
  std::vector<std::string> forGpu;
  for (std::size_t i = 0; i < figureParts().size(); ++i) {
    const Figure& figure = *figureParts()[i];
    const std::string id = listedFigures()[i].id;
    if (figure.forGpu) { forGpu.push_back(id); }
    const std::size_t before = command.get_options().size();
    commands_[id] = figure.command();
    commands_[id]->addOwn(command);
    note(command, before, {id});
  }
  const std::size_t before = command.get_options().size();
  gpu_.addTo(command);
  note(command, before, forGpu);
}

void PictureFigures::expectOptionsOf(const std::string& figure) const {
  for (const auto& [option, figures] : options_) {
    if (option->count() == 0 || std::ranges::find(figures, figure) != figures.end()) { continue; }
    throw InputError(figure.empty() ? trf("{} belongs to --figure {}", option->get_name(), either(figures))
                                    : trf("{}: the figure \"{}\" has no such option; it belongs to --figure {}",
                                          option->get_name(), figure, either(figures)));
  }
}

void PictureFigures::show(const std::string& figure, FigurePicture& of) const {
  of.state.view.tabs.bringToFront(Tab::Figures);
  of.state.figures.inFront = figure;
  if (gpu_.given()) { of.state.view.gpuSpec = gpu_.indexAmong(of.state.gpuSpecs); }
  commands_.at(figure)->prepare(of);
}

void PictureFigures::note(CLI::App& command, std::size_t first, const std::vector<std::string>& figures) {
  const std::vector<CLI::Option*> all = command.get_options();
  for (CLI::Option* option : std::span(all).subspan(first)) {
    option->description(trf("With --figure {}: {}", either(figures), option->get_description()));
    options_.emplace_back(option, figures);
  }
}

WindowPicture PictureArguments::prepare(const CommandContext& context) const {
  if (picture.sweeps > 0 && play.empty() && !state.view.tabs.inFront(Tab::Field)) {
    throw InputError(tr("--sweeps requires --field or --play"));
  }
  if (state.view.showHelp) { static_cast<void>(pageAt(readManual(), state.view.page)); }
  if (isSession(id)) { return scenePicture(context, *this); }
  if (scene) { throw InputError(trf("--scene {}: only a session, a .halo file, has scenes", *scene)); }
  if (!play.empty()) { return playPicture(context, *this); }
  if (!lesson.empty()) { return lessonPicture(context, *this); }
  if (startPage || (id.empty() && state.view.showHelp)) { return startPagePicture(context, *this); }
  if (id.empty() && (exercise || lab || !make.empty())) { return taskPicture(context, *this); }
  if (id.empty()) {
    throw InputError(
        tr("there is nothing to draw: name a variant, a .cu file, a session, --lesson, --exercise, --make, --lab or "
           "--play"));
  }
  return ofKernel(context);
}

WindowPicture PictureArguments::ofKernel(const CommandContext& context) const {
  figures.expectOptionsOf(figure);
  PictureOptions shown = picture;
  const ChosenKernel chosen = chosenKernel(context.catalogue, id, kernel);
  const KernelFile& file = chosen.file;
  AppState window = state;
  addResources(window, context.catalogue);
  addProgram(window, kernel.program);
  if (file.isOpened()) { window.fileRequests.text = openedText(id, file.kernel, chosen.overrides); }
  experiment::Choice choice = chosen.choice();
  schedule.apply(choice);
  schedule.expectBarriers(experiment::compile(file, file.bind(choice.bindings)));
  if (!block.empty()) { choice.block = parseBlock(block, file.configuration(file.bind(choice.bindings)).grid); }
  const auto recorded = record(*this, file, choice, shown.element);
  shown.firstFinding = !shown.place.given() && block.empty() && cell.empty();
  if (finding) {
    if (*finding < 1) { throw InputError(trf("--finding {}: findings count from 1", *finding)); }
    shown.finding = static_cast<std::size_t>(*finding - 1);
  }
  if ((launch || program) && !file.isOpened()) {
    throw InputError(trf("{} has no host code: --program and --program-launch take a .cu file that has a main()", id));
  }
  if (launch) {
    if (*launch < 1) { throw InputError(trf("--program-launch {}: launches count from 1", *launch)); }
    shown.launch = static_cast<std::size_t>(*launch - 1);
  }
  if (!figure.empty()) {
    const bool sized = !kernel.knobs.sizeOption(file).empty();
    FigurePicture of{file, *recorded, sized, window, shown};
    figures.show(figure, of);
  }
  window.program.awaited = file.isOpened();  // it says how large the kernel's arrays are
  expectPlace(shown.place, *recorded->recording);
  compare.apply(window, file, kernel.program);
  window.choice = std::move(choice);
  window.experiment = asInWindow(recorded, window);
  return {std::move(window), shown};
}

// The position in the execution, of which at most one is given.
void PictureArguments::addPlace(CLI::App& command, CLI::Option* focused) {
  Place& place = picture.place;
  CLI::Option* step = command.add_option("--step", place.step, tr("Position: after this many steps"));
  CLI::Option* barrier = command
                             .add_option("--barrier", place.barrier,
                                         tr("Position: after the first step of this barrier interval, counted from 0"))
                             ->excludes(step);
  CLI::Option* plane = command
                           .add_option("--plane", place.plane,
                                       tr("Position: after the first step of this plane, counted from 0; with --figure "
                                          "boundary: the plane of the grid to draw"))
                           ->excludes(step)
                           ->excludes(barrier);
  command
      .add_option("--finding", finding,
                  tr("Position: where this finding shows, counted from 1 (default for a .cu file: the first)"))
      ->excludes(step)
      ->excludes(barrier)
      ->excludes(plane)
      ->excludes(focused);
  command.add_flag("--end", place.end, tr("Position: after the last step"))
      ->excludes(step)
      ->excludes(barrier)
      ->excludes(plane);
}

void PictureArguments::addTo(CLI::App& command) {
  addTarget(command, id)->required(false);
  command.add_option("--scene", scene, tr("Of a .halo file: the scene, counted from 1 (default 1)"));
  CLI::Option* ofCourse = command.add_option(
      "--lesson", lesson,
      tr("Show this lesson of the course, with its kernel, instead of a variant; map: the map of the course"));
  command.add_option("--scroll", scroll, tr("How far down the lesson's page: 0 to 1"))
      ->check(CLI::Range(0.0, 1.0))
      ->needs(ofCourse);
  command.add_option("--question", question, tr("Scroll to this question of the lesson"))->needs(ofCourse);
  addKernel(command, kernel);
  addData(command, kernel.data);
  addSchedule(command, schedule);
  addPlace(command, addBlock(command, block));
  command.add_option("--width", picture.width, tr("Width in pixels"))
      ->check(CLI::Range(320, 7680))
      ->capture_default_str();
  command.add_option("--height", picture.height, tr("Height in pixels"))
      ->check(CLI::Range(240, 4320))
      ->capture_default_str();
  command.add_flag("--light", state.view.light, tr("Use the light theme"));
  command.add_option("--text-scale", state.view.scale, tr("Text size relative to the default for this picture size"))
      ->check(CLI::Range(kSmallestTextScale, kLargestTextScale))
      ->capture_default_str();
  addPanels(command);
}

void PictureArguments::addWindow(CLI::App& command) {
  command.add_flag_callback(
      "--present", [this] { togglePresenting(state); },
      tr("Presentation mode: the scene's panels, or the workspace's own, fill the screen"));
  command.add_flag("--notes", state.presenting.notes, tr("With --present: show the lecturer's notes"));
  command.add_flag("--scenes", state.session.listed, tr("Show the list of scenes"));
  command.add_flag("--start", startPage, tr("Show the start page"));
  command.add_option_function<std::string>(
      "--manual", [this](const std::string& page) { openManual(state, page); },
      tr("Show this page of the manual, as F1 does"));
  command
      .add_option_function<std::string>(
          "--workspace",
          [this](const std::string& name) {
            if (const auto workspace = workspaceNamed(name)) { state.view.tabs.enter(*workspace); }
          },
          tr("Show this workspace (default: the one that has what the other options ask for, else walk)"))
      ->check(CLI::IsMember(workspaceNames(), CLI::ignore_case));
}

void PictureArguments::addPanels(CLI::App& command) {
  CLI::Option* swept = command.add_flag_callback(
      "--field", [this] { state.view.tabs.bringToFront(Tab::Field); }, tr("Show the field instead of the block"));
  CLI::Option* ofPlayground =
      command.add_option("--play", play, tr("Show the playground with this problem, such as heat_plate"));
  command.add_option("--engine", engine, tr("With --play: the variant that computes it"))->needs(ofPlayground);
  command.add_option("--filter", filter, tr("With --play picture: this filter, by its name"))->needs(ofPlayground);
  CLI::Option* map = command
                         .add_flag_callback(
                             "--tuning", [this] { state.view.tabs.bringHome(Tab::Tuning); },
                             tr("Show the tuning map instead of the block"))
                         ->excludes(swept);
  CLI::Option* ofBook =
      command.add_option("--figure", figure, tr("Show one of the book's figures for this kernel instead of the block"))
          ->check(CLI::IsMember(figureIds()))
          ->excludes(swept)
          ->excludes(map);
  figures.addTo(command);
  CLI::Option* climb = command
                           .add_flag_callback(
                               "--climb", [this] { state.view.tabs.bringToFront(Tab::Climb); },
                               tr("Show the climb that it is part of instead of the block"))
                           ->excludes(swept)
                           ->excludes(map)
                           ->excludes(ofBook);
  command
      .add_flag_callback(
          "--program",
          [this] {
            program = true;
            state.view.tabs.bringToFront(Tab::Program);
          },
          tr("Execute the file's whole program, and show the calls of its host code instead of the block"))
      ->excludes(swept)
      ->excludes(map)
      ->excludes(ofBook)
      ->excludes(climb);
  command.add_option("--program-launch", launch,
                     tr("Execute the file's whole program, and show this of its launches, counted from 1, with its own "
                        "data"));
  addOutputCell(command, cell, tr("Select the block and thread that write this element, I,J,K"));
  command.add_flag_callback(
      "--origins", [this] { state.view.tabs.bringToFront(Tab::Origins); },
      tr("Show where the selected thread's output came from instead of the memory"));
  command.add_flag_callback(
      "--addresses", [this] { state.view.tabs.bringToFront(Tab::Addresses); },
      tr("Show the addresses of the step's accesses instead of the memory"));
  // Compared variants take the place of all of these.
  compare.addTo(command)->excludes(swept)->excludes(map)->excludes(ofBook)->excludes(climb);
  command.add_option_function<std::string>(
      "--exercise",
      [this](const std::string& chosen) {
        exercise = true;
        chooseExercise(state, chosen);
        for (const exercises::Part& part : shownExercise(state).parts) { state.exercise.shown.insert(part.id); }
        state.view.tabs.bringToFront(Tab::Exercises);
      },
      tr("Show this exercise with its answers"));
  CLI::Option* task =
      command.add_option("--make", make, tr("Show this task in which a kernel is written, with its help"));
  command.add_option("--solution", solution, tr("With --make: the verdict on the kernel in this file"))->needs(task);
  command.add_flag_callback(
      "--lab",
      [this] {
        lab = true;
        state.view.tabs.bringToFront(Tab::BugLab);
      },
      tr("Show the bug lab; without a variant, its first task"));
  command.add_flag("--edit", state.editing.open, tr("Show the source in the editor"));
  command.add_option("--sweeps", picture.sweeps, tr("Sweeps to run before the picture is taken"))
      ->check(CLI::Range(0, 100000));
  command.add_flag("--on-gpu", state.gpuStepping.wanted,
                   tr("Show the block as executed on the GPU instead of on the emulator"));
  command.add_flag("--hardware", state.hardware.wanted, tr("Also read and show the GPU's hardware counters"));
}

}  // namespace haloscope
