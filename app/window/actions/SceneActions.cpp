#include "actions/SceneActions.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "actions/CameraActions.h"
#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "actions/Origins.h"
#include "actions/PlaygroundActions.h"
#include "actions/ProgramSteps.h"
#include "actions/StartPageActions.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "program/SourceLocation.h"
#include "state/AppState.h"
#include "state/Session.h"

namespace haloscope {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> variantsOf(const Scene& scene) {
  std::vector<std::string> ids = {scene.choice.kernel};
  ids.insert(ids.end(), scene.compare.begin(), scene.compare.end());
  return ids;
}

SharedText textOf(const Scene& scene, const std::string& kernel) {
  const auto found = std::ranges::find_if(scene.texts, [&](const auto& text) { return text->kernel == kernel; });
  return found == scene.texts.end() ? SharedText() : *found;
}

/// How the program of an own file was executed, as far as a scene can say it.
std::vector<std::string> captureArguments(const AppState& state, const WorkingCopy& copy) {
  const ShownProgram* program = programOf(state, copy.path);
  if (program == nullptr) {
    const auto launch = state.launches.find(copy.id);
    const bool given = launch != state.launches.end() && !launch->second.arguments.empty();
    return given ? launch->second.arguments : state.program.arguments;
  }
  if (!program->opened.empty()) {
    throw InputError(trf("{} is not recorded: its program reads {}, and a session holds no files of a program",
                         copy.path.filename().string(), program->opened.front().name));
  }
  if (program->files.program.files.size() > 1) {
    throw InputError(trf("{} is not recorded: its program has {} files, and a session holds programs of one",
                         copy.path.filename().string(), program->files.program.files.size()));
  }
  return program->arguments;
}

/// Null where the catalogue's own text is shown.
SharedText captureText(const AppState& state, const std::string& kernel) {
  const auto copy = state.copies.find(kernel);
  if (copy == state.copies.end() || !(copy->second.opened || copy->second.changed())) { return {}; }
  SceneText text;
  text.kernel = kernel;
  text.source = copy->second.text;
  if (copy->second.opened) {
    text.file = copy->second.path.filename().string();
    if (const KernelFile* file = state.catalogue.find(kernel)) { text.headers = file->headers; }
    if (const auto launch = state.launches.find(kernel); launch != state.launches.end()) {
      const opening::LaunchOverrides& set = launch->second.overrides;
      text.entry = launch->second.kernel;
      text.launch = {.grid = set.grid,
                     .block = set.block,
                     .dynamicSharedBytes = set.dynamicSharedBytes,
                     .bindings = set.bindings,
                     .defines = set.defines,
                     .headerTexts = {},
                     .executed = {}};
    }
    text.arguments = captureArguments(state, copy->second);
  }
  // Scenes share what they have in common.
  for (const Scene& scene : state.session.scenes) {
    if (auto known = textOf(scene, kernel); known != nullptr && sameText(*known, text)) { return known; }
  }
  return std::make_shared<const SceneText>(std::move(text));
}

bool inSession(const AppState& state, const WorkingCopy& copy) {
  return std::ranges::any_of(state.session.scenes, [&](const Scene& scene) {
    const auto text = textOf(scene, copy.id);
    return text != nullptr && text->source == copy.text;
  });
}

/// A text that the user typed, and that neither its file nor a scene holds, becomes a variant of its own.
void keepOwnText(AppState& state, const WorkingCopy& copy) {
  if (!copy.unsaved() || inSession(state, copy)) { return; }
  std::error_code error;
  fs::path path = fs::current_path(error) / copy.path.filename();
  const auto taken = [&] {
    return std::ranges::count(state.catalogue.kernels(), path, &KernelFile::path) > 0 || fs::exists(path, error);
  };
  for (int i = 2; taken(); ++i) { path.replace_filename(copy.path.stem().string() + "-" + std::to_string(i) + ".cu"); }
  KernelFile variant = openedVariant(state.catalogue, path);
  WorkingCopy own{.id = variant.id, .path = path, .opened = true};
  own.setText(copy.text);
  const auto launch = state.launches.find(copy.id);
  state.launches[own.id] = launch != state.launches.end() ? OpenedLaunch(launch->second) : OpenedLaunch();
  state.session.message =
      trf("your text of {} is now {}: Save as… writes it to a file", copy.path.filename().string(), own.id);
  state.copies.insert_or_assign(own.id, std::move(own));
  state.catalogue.put(std::move(variant));
}

/// Kernels of tasks are not in the catalogue until they are used.
void expectKnown(AppState& state, const std::string& kernel) {
  if (state.catalogue.find(kernel) != nullptr) { return; }
  const KernelFile* file = taskKernel(state, kernel);
  state.catalogue.put(file != nullptr ? *file : state.catalogue.at(kernel));  // which says so
}

void setText(AppState& state, const std::string& kernel, const SharedText& text) {
  const KernelFile& file = state.catalogue.at(kernel);
  const auto known = state.copies.find(kernel);
  if (known != state.copies.end()) { keepOwnText(state, WorkingCopy(known->second)); }
  if (text == nullptr) {
    if (known != state.copies.end()) { known->second.setText(known->second.fileText); }
    return;
  }
  WorkingCopy& copy = state.copies[kernel];
  if (copy.id.empty()) {
    copy.id = kernel;
    copy.path = file.path;
    copy.text = copy.fileText = file.text;
    copy.opened = file.isOpened();
  }
  copy.setText(text->source);
  copy.sceneText = text->source;
  if (text->file.empty()) { return; }
  OpenedLaunch& launch = state.launches[kernel];
  SceneText now = *text;
  now.entry = launch.kernel;
  now.launch = launch.overrides;
  now.arguments = launch.arguments;
  if (sameText(now, *text)) { return; }
  const auto headers = std::move(launch.overrides.headerTexts);
  launch.overrides = text->launch;
  launch.overrides.headerTexts = headers;
  launch.kernel = text->entry;
  launch.arguments = text->arguments;
  ++launch.revision;
}

void goToPlace(AppState& state, const Scene& scene) {
  const experiment::Experiment& on = *state.experiment;
  const std::optional<std::uint32_t> thread = threadAt(scene.thread, on);
  if (thread) { state.selection.thread = *thread; }
  if (scene.moment.kind != Moment::Kind::None) {
    state.cursor.goTo(positionOf(scene.moment, thread, on));
    state.playback.carry = 0;
  }
  if (const auto element = elementAt(scene.element, on)) { chooseOutput(state, *element); }
}

/// The chosen kernel has been executed as the window will show it: of an own file, with what its program says.
bool executed(const AppState& state) {
  return state.experiment != nullptr && !state.cursor.empty() && !state.computing &&
         state.experiment->choice == state.choice && !state.program.running && !state.program.fetching &&
         (state.program.current || !state.experiment->file.isOpened());
}

}  // namespace

Scene captureScene(const AppState& state) {
  Scene scene;
  scene.choice = state.choice;
  scene.camera = cameraAimed(state);
  scene.language = language();
  scene.speed = state.playback.speed;
  scene.figure = state.figures.inFront;
  scene.workspace = state.view.tabs.workspace();
  if (!state.presenting.on) {
    scene.panels.assign(state.view.tabs.onScreen().begin(), state.view.tabs.onScreen().end());
  }
  scene.hall = state.presenting.hall;
  if (state.view.tabs.inFront(Tab::Lesson) && !state.lesson.shown.empty()) {
    scene.lesson = {state.lesson.shown, state.lesson.scroll};
  }
  if (state.comparison.on) {
    for (const ComparedVariant& variant : state.comparison.variants) {
      if (variant.choice.kernel != state.choice.kernel) { scene.compare.push_back(variant.choice.kernel); }
    }
    scene.lineUp = state.comparison.lineUp;
  }
  for (const std::string& kernel : variantsOf(scene)) {
    if (SharedText text = captureText(state, kernel); text != nullptr) { scene.texts.push_back(std::move(text)); }
  }
  scene.play = playPlace(state);
  const auto copy = state.copies.find(scene.choice.kernel);
  if (copy != state.copies.end() && programOf(state, copy->second.path) != nullptr) {
    scene.launch = selectedLaunch(state);
  }
  if (!executed(state)) { return scene; }
  const experiment::Experiment& on = *state.experiment;
  scene.thread = unlinear(state.selection.thread, on.configuration.block);
  scene.moment = {.kind = Moment::Kind::Step, .number = static_cast<std::int64_t>(state.cursor.position())};
  if (state.selection.output && on.writes.writer(*state.selection.output)) {
    const std::vector<std::int64_t>& extents = on.footprint.outputExtents;
    scene.element.resize(extents.size());
    std::int64_t rest = *state.selection.output;
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      scene.element[axis] = rest % extents[axis];
      rest /= extents[axis];
    }
  }
  return scene;
}

void arrange(AppState& state, const Scene& scene, bool ofLesson) {
  leaveStartPage(state);
  state.start.awaited.reset();
  state.playback.playing = false;
  if (state.comparison.on) { leaveComparison(state); }
  state.beforeComparison.reset();
  state.playground.beside.reset();
  if (scene.speed) { state.playback.speed = *scene.speed; }
  state.choice = scene.choice;
  if (!scene.figure.empty()) { state.figures.inFront = scene.figure; }
  if (scene.lesson) {
    state.lesson.shown = state.lesson.last = scene.lesson->id;
    state.lesson.scrollTo = scene.lesson->scroll;
  }
  if (scene.workspace) { state.view.tabs.enter(*scene.workspace); }
  if (state.view.tabs.workspace() == Workspace::Play) { resumePlay(state, scene.play); }
  for (const Tab tab : scene.panels) { state.view.tabs.bringToFront(tab); }
  if (scene.camera) {
    holdCamera(state);
    state.view.camera = *scene.camera;
  }
  if (scene.language) { state.view.language = scene.language; }
  if (!scene.compare.empty()) {
    state.comparison.variants.clear();
    for (const std::string& id : scene.compare) {
      if (!isCompared(state, id)) { toggleCompared(state, id); }
    }
    if (scene.lineUp) { lineUpBy(state, *scene.lineUp); }
    startComparison(state);
  }
  state.awaited = {.choice = state.choice, .scene = std::make_shared<const Scene>(scene), .ofLesson = ofLesson};
}

void showScene(AppState& state, const Scene& scene) {
  for (const std::string& kernel : variantsOf(scene)) { expectKnown(state, kernel); }
  if (scene.lesson && !scene.lesson->id.empty() && state.lesson.course != nullptr) {
    static_cast<void>(state.lesson.course->at(scene.lesson->id));
  }
  if (scene.play) { expectPlace(state.catalogue, *scene.play, scene.choice.kernel); }
  for (const std::string& kernel : variantsOf(scene)) { setText(state, kernel, textOf(scene, kernel)); }
  state.editing.open = false;
  state.selection.showFirstFinding.clear();
  state.selection.output.reset();
  if (!scene.launch && textOf(scene, scene.choice.kernel) != nullptr) { deselectColumn(state); }
  arrange(state, scene);
}

bool leftScene(const AppState& state) {
  experiment::Choice arranged = state.awaited.choice;
  arranged.order = state.choice.order;
  arranged.orderSeed = state.choice.orderSeed;
  return !(arranged == state.choice);
}

void followScene(AppState& state) {
  AwaitedScene& awaited = state.awaited;
  if (leftScene(state)) { awaited.scene = nullptr; }
  if (awaited.scene == nullptr || !executed(state)) { return; }
  std::shared_ptr<const Scene> scene = awaited.scene;
  try {
    if (scene->launch && !std::exchange(awaited.launchSelected, true) && selectedLaunch(state) != scene->launch) {
      selectLaunch(state, *scene->launch);
      awaited.choice = state.choice;
      return;  // its place follows when the launch was executed with its data
    }
    awaited.scene = nullptr;
    goToPlace(state, *scene);
  } catch (const UserError& error) {
    awaited.scene = nullptr;
    if (awaited.ofLesson) {
      state.lesson.problem = error.message();
    } else {
      state.problem = Problem{trf("scene \"{}\": {}", scene->title, error.message()), {}, {}};
    }
  }
}

}  // namespace haloscope
