#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "book/Figure.h"
#include "commands/Command.h"
#include "commands/Screen.h"
#include "commands/StartingState.h"
#include "documents/SessionFile.h"
#include "exercises/Worked.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "options/CompareOptions.h"
#include "options/KernelArguments.h"
#include "options/OutputCell.h"
#include "parts/FigureList.h"
#include "state/BugLabTasks.h"
#include "state/ExerciseView.h"
#include "state/LessonFollowing.h"
#include "state/Playground.h"
#include "state/PresentingActions.h"
#include "state/ViewActions.h"

/// `haloscope render`: the window's picture.
namespace haloscope {
namespace {

namespace fs = std::filesystem;

/// The options of all figures in one command. Each belongs to some of them.
class PictureFigures {
 public:
  /// `this` must outlive the command.
  void addTo(CLI::App& command) {
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

  /// Throws InputError for an option that was given to the command and that this figure does not have; empty: no
  /// figure.
  void expectOptionsOf(const std::string& figure) const {
    for (const auto& [option, figures] : options_) {
      if (option->count() == 0 || std::ranges::find(figures, figure) != figures.end()) { continue; }
      throw InputError(figure.empty() ? trf("{} belongs to --figure {}", option->get_name(), either(figures))
                                      : trf("{}: the figure \"{}\" has no such option; it belongs to --figure {}",
                                            option->get_name(), figure, either(figures)));
    }
  }

  /// Puts a figure in front. Throws InputError for what the kernel does not have.
  void show(const std::string& figure, FigurePicture& of) const {
    of.state.view.tabs.bringToFront(Tab::Figures);
    of.state.figures.inFront = figure;
    if (gpu_.given()) { of.state.view.gpuSpec = gpu_.indexAmong(of.state.gpuSpecs); }
    commands_.at(figure)->prepare(of);
  }

 private:
  /// "layout", "opb, tail or registers"
  static std::string either(const std::vector<std::string>& figures) {
    if (figures.size() == 1) { return figures.front(); }
    return trf("{} or {}", fmt::join(std::span(figures).first(figures.size() - 1), ", "), figures.back());
  }

  /// The options of the command from this one on belong to these figures.
  void note(CLI::App& command, std::size_t first, const std::vector<std::string>& figures) {
    const std::vector<CLI::Option*> all = command.get_options();
    for (CLI::Option* option : std::span(all).subspan(first)) {
      option->description(trf("With --figure {}: {}", either(figures), option->get_description()));
      options_.emplace_back(option, figures);
    }
  }

  std::map<std::string, std::unique_ptr<FigureCommand>> commands_;
  std::vector<std::pair<const CLI::Option*, std::vector<std::string>>> options_;
  GpuOption gpu_;
};

struct RenderOptions {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  ScheduleOptions schedule;
  std::string block;                    ///< "x,y,z"; empty: an interior block
  std::string cell;                     ///< "I,J,K": the output element that is selected; empty: the middle thread's
  std::optional<std::int64_t> finding;  ///< counted from 1
  std::optional<std::int64_t> launch;   ///< of the program, counted from 1
  bool program = false;                 ///< it is in front
  std::string figure;                   ///< of the book, in front instead of the block; empty: none
  PictureFigures figures;
  bool startPage = false;
  bool lab = false;
  bool exercise = false;
  std::string lesson;                 ///< of the course; empty: none
  double scroll = 0;                  ///< how far down its page
  std::string question;               ///< of the lesson, to be scrolled to
  std::string play;                   ///< a problem of the playground; empty: none
  std::string engine;                 ///< the kernel that computes it; empty: the problem's own
  std::string filter;                 ///< of a picture, by name; empty: the first
  std::optional<std::int64_t> scene;  ///< of a session, counted from 1
  CompareOptions compare;
  AppState state;  ///< what is shown, as far as flags say it
  PictureOptions picture;
};

/// stb writes PNG, whatever the name says.
void expectPng(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  if (extension != ".png") {
    throw InputError(trf("-o {}: pictures are written as PNG; give a name that ends in .png", path.string()));
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder)) {
    throw InputError(trf("-o {}: there is no folder {}", path.string(), folder.string()));
  }
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
std::shared_ptr<const experiment::Experiment> record(const RenderOptions& options, const KernelFile& file,
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

/// The window with a lesson open.
ExitCode renderLesson(const CommandContext& context, const RenderOptions& options) {
  if (!options.id.empty()) {
    throw InputError(trf("{}: --lesson shows the lesson's own kernel; leave out the variant", options.id));
  }
  PictureOptions picture = options.picture;
  expectPng(picture.output);
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
  context.screen.draw(state, picture);
  return ExitCode::Good;
}

ExitCode renderStartPage(const CommandContext& context, const RenderOptions& options) {
  if (!options.id.empty()) {
    throw InputError(trf("{}: --start shows a kernel of its own; leave out the variant", options.id));
  }
  expectPng(options.picture.output);
  AppState state = options.state;
  addResources(state, context.catalogue);
  state.choice.kernel = kStartPicture;
  showStartPage(state);
  PictureOptions picture = options.picture;
  picture.place.end = !picture.place.given();
  context.screen.draw(state, picture);
  return ExitCode::Good;
}

/// The window with an exercise beside the kernel that executes it, or with the first task of the bug lab.
ExitCode renderTask(const CommandContext& context, const RenderOptions& options) {
  expectPng(options.picture.output);
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
  context.screen.draw(state, picture);
  return ExitCode::Good;
}

/// The playground with a problem.
ExitCode renderPlay(const CommandContext& context, const RenderOptions& options) {
  if (!options.id.empty()) {
    throw InputError(
        trf("{}: --play shows the problem's own kernel, or that of --engine; leave out the variant", options.id));
  }
  expectPng(options.picture.output);
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
  context.screen.draw(state, options.picture);
  return ExitCode::Good;
}

/// A scene of a session; the window's options apply, the kernel's do not.
ExitCode renderScene(const CommandContext& context, const RenderOptions& options) {
  if (!options.kernel.leaveLaunch() || !options.kernel.data.empty() || options.picture.place.given() ||
      options.picture.place.end || !options.block.empty() || !options.cell.empty() || options.finding) {
    throw InputError(
        trf("{} is a session, whose scenes say what is launched: leave out the other options", options.id));
  }
  expectPng(options.picture.output);
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
  openSession(state, std::move(session));
  state.session.listed = options.state.session.listed;
  goToScene(state, static_cast<std::size_t>(number - 1));
  if (state.problem) { throw InputError(state.problem->message); }
  if (context.language) { state.view.language = context.language; }
  context.screen.draw(state, options.picture);
  return ExitCode::Good;
}

ExitCode render(const CommandContext& context, const RenderOptions& options) {
  if (isSession(options.id)) { return renderScene(context, options); }
  if (options.scene) { throw InputError(trf("--scene {}: only a session, a .halo file, has scenes", *options.scene)); }
  if (!options.play.empty()) { return renderPlay(context, options); }
  if (!options.lesson.empty()) { return renderLesson(context, options); }
  if (options.startPage) { return renderStartPage(context, options); }
  if (options.id.empty() && (options.exercise || options.lab)) { return renderTask(context, options); }
  if (options.id.empty()) {
    throw InputError(
        tr("render needs a variant, a .cu file, a session, --lesson, --exercise, --lab, --play or --start"));
  }
  options.figures.expectOptionsOf(options.figure);
  PictureOptions picture = options.picture;
  expectPng(picture.output);
  const ChosenKernel chosen = chosenKernel(context.catalogue, options.id, options.kernel);
  const KernelFile& file = chosen.file;
  AppState state = options.state;
  addResources(state, context.catalogue);
  addProgram(state, options.kernel.program);
  if (file.isOpened()) { state.fileRequests.text = openedText(options.id, file.kernel, chosen.overrides); }
  experiment::Choice choice = chosen.choice();
  options.schedule.apply(choice);
  options.schedule.expectBarriers(experiment::compile(file, file.bind(choice.bindings)));
  if (!options.block.empty()) {
    choice.block = parseBlock(options.block, file.configuration(file.bind(choice.bindings)).grid);
  }
  const auto recorded = record(options, file, choice, picture.element);
  picture.firstFinding = !picture.place.given() && options.block.empty() && options.cell.empty();
  if (options.finding) {
    if (*options.finding < 1) { throw InputError(trf("--finding {}: findings count from 1", *options.finding)); }
    picture.finding = static_cast<std::size_t>(*options.finding - 1);
  }
  if ((options.launch || options.program) && !file.isOpened()) {
    throw InputError(
        trf("{} has no host code: --program and --program-launch take a .cu file that has a main()", options.id));
  }
  if (options.launch) {
    if (*options.launch < 1) { throw InputError(trf("--program-launch {}: launches count from 1", *options.launch)); }
    picture.launch = static_cast<std::size_t>(*options.launch - 1);
  }
  if (!options.figure.empty()) {
    const bool sized = !options.kernel.knobs.sizeOption(file).empty();
    FigurePicture of{file, *recorded, sized, state, picture};
    options.figures.show(options.figure, of);
  }
  state.program.awaited = file.isOpened();  // it says how large the kernel's arrays are
  expectPlace(picture.place, *recorded->recording);
  options.compare.apply(state, file, options.kernel.program);
  state.choice = std::move(choice);
  state.experiment = asInWindow(recorded, state);
  context.screen.draw(state, picture);
  return ExitCode::Good;
}

/// The position in the execution, of which at most one is given. Returns the option --plane.
void addPlace(CLI::App& command, RenderOptions& options, CLI::Option* block) {
  Place& place = options.picture.place;
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
      .add_option("--finding", options.finding,
                  tr("Position: where this finding shows, counted from 1 (default for a .cu file: the first)"))
      ->excludes(step)
      ->excludes(barrier)
      ->excludes(plane)
      ->excludes(block);
  command.add_flag("--end", place.end, tr("Position: after the last step"))
      ->excludes(step)
      ->excludes(barrier)
      ->excludes(plane);
}

CommandRun addRender(CLI::App& command) {
  const auto options = std::make_shared<RenderOptions>();
  AppState& state = options->state;
  PictureOptions& picture = options->picture;
  addTarget(command, options->id)->required(false);
  command.add_option("--scene", options->scene, tr("Of a .halo file: the scene, counted from 1 (default 1)"));
  command.add_flag_callback(
      "--present", [&state] { togglePresenting(state); },
      tr("Presentation mode: the scene's panels, or the workspace's own, fill the screen"));
  command.add_flag("--notes", state.presenting.notes, tr("With --present: show the lecturer's notes"));
  command.add_flag("--scenes", state.session.listed, tr("Show the list of scenes"));
  command.add_flag("--start", options->startPage, tr("Show the start page"));
  CLI::Option* lesson = command.add_option(
      "--lesson", options->lesson,
      tr("Show this lesson of the course, with its kernel, instead of a variant; map: the map of the course"));
  command.add_option("--scroll", options->scroll, tr("How far down the lesson's page: 0 to 1"))
      ->check(CLI::Range(0.0, 1.0))
      ->needs(lesson);
  command.add_option("--question", options->question, tr("Scroll to this question of the lesson"))->needs(lesson);
  addKernel(command, options->kernel);
  addData(command, options->kernel.data);
  addSchedule(command, options->schedule);
  addPlace(command, *options, addBlock(command, options->block));
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
  command
      .add_option_function<std::string>(
          "--workspace",
          [&state](const std::string& name) {
            if (const auto workspace = workspaceNamed(name)) { state.view.tabs.enter(*workspace); }
          },
          tr("Show this workspace (default: the one that has what the other options ask for, else walk)"))
      ->check(CLI::IsMember(workspaceNames(), CLI::ignore_case));
  CLI::Option* field = command.add_flag_callback(
      "--field", [&state] { state.view.tabs.bringToFront(Tab::Field); }, tr("Show the field instead of the block"));
  CLI::Option* play =
      command.add_option("--play", options->play, tr("Show the playground with this problem, such as heat_plate"));
  command.add_option("--engine", options->engine, tr("With --play: the variant that computes it"))->needs(play);
  command.add_option("--filter", options->filter, tr("With --play picture: this filter, by its name"))->needs(play);
  CLI::Option* map = command
                         .add_flag_callback(
                             "--tuning", [&state] { state.view.tabs.bringToFront(Tab::Tuning); },
                             tr("Show the tuning map instead of the block"))
                         ->excludes(field);
  CLI::Option* figure = command
                            .add_option("--figure", options->figure,
                                        tr("Show one of the book's figures for this kernel instead of the block"))
                            ->check(CLI::IsMember(figureIds()))
                            ->excludes(field)
                            ->excludes(map);
  options->figures.addTo(command);
  CLI::Option* climb = command
                           .add_flag_callback(
                               "--climb", [&state] { state.view.tabs.bringToFront(Tab::Climb); },
                               tr("Show the climb that it is part of instead of the block"))
                           ->excludes(field)
                           ->excludes(map)
                           ->excludes(figure);
  command
      .add_flag_callback(
          "--program",
          [options] {
            options->program = true;
            options->state.view.tabs.bringToFront(Tab::Program);
          },
          tr("Execute the file's whole program, and show the calls of its host code instead of the block"))
      ->excludes(field)
      ->excludes(map)
      ->excludes(figure)
      ->excludes(climb);
  command.add_option("--program-launch", options->launch,
                     tr("Execute the file's whole program, and show this of its launches, counted from 1, with its own "
                        "data"));
  addOutputCell(command, options->cell, tr("Select the block and thread that write this element, I,J,K"));
  command.add_flag_callback(
      "--origins", [&state] { state.view.tabs.bringToFront(Tab::Origins); },
      tr("Show where the selected thread's output came from instead of the memory"));
  command.add_flag_callback(
      "--addresses", [&state] { state.view.tabs.bringToFront(Tab::Addresses); },
      tr("Show the addresses of the step's accesses instead of the memory"));
  // Compared variants take the place of all of these.
  options->compare.addTo(command)->excludes(field)->excludes(map)->excludes(figure)->excludes(climb);
  command.add_option_function<std::string>(
      "--exercise",
      [options](const std::string& id) {
        AppState& state = options->state;
        options->exercise = true;
        chooseExercise(state, id);
        for (const exercises::Part& part : shownExercise(state).parts) { state.exercise.shown.insert(part.id); }
        state.view.tabs.bringToFront(Tab::Exercises);
      },
      tr("Show this exercise with its answers"));
  command.add_flag_callback(
      "--lab",
      [options] {
        options->lab = true;
        options->state.view.tabs.bringToFront(Tab::BugLab);
      },
      tr("Show the bug lab; without a variant, its first task"));
  command.add_flag("--edit", state.editing.open, tr("Show the source in the editor"));
  CLI::Option* sweeps = command.add_option("--sweeps", picture.sweeps, tr("Sweeps to run before the picture is taken"))
                            ->check(CLI::Range(0, 100000));
  command.add_flag("--on-gpu", state.gpuStepping.wanted,
                   tr("Show the block as executed on the GPU instead of on the emulator"));
  command.add_flag("--hardware", state.hardware.wanted, tr("Also read and show the GPU's hardware counters"));
  command.add_option("-o,--output", picture.output, tr("PNG file to write"))->required();
  return [options, sweeps, field, play](const CommandContext& context) {
    if (sweeps->count() > 0 && field->count() == 0 && play->count() == 0) {
      throw InputError(tr("--sweeps requires --field or --play"));
    }
    return render(context, *options);
  };
}

}  // namespace

extern const Command renderCommand{"render", trMark("Draw the window to a PNG file; needs no display"), addRender};

}  // namespace haloscope
