#include "App.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <system_error>
#include <utility>

#include "FramePacer.h"
#include "actions/Barriers.h"
#include "actions/BugLabTasks.h"
#include "actions/CameraActions.h"
#include "actions/Choices.h"
#include "actions/Comparing.h"
#include "actions/Findings.h"
#include "actions/LessonFollowing.h"
#include "actions/MakeActions.h"
#include "actions/PlaygroundActions.h"
#include "actions/PresentingActions.h"
#include "actions/SceneActions.h"
#include "actions/StartPageActions.h"
#include "language/Language.h"
#include "language/Text.h"
#include "program/ElapsedTime.h"
#include "program/SourceLocation.h"
#include "state/Player.h"
#include "text/Print.h"
#include "ui/window/Keyboard.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFrameSeconds = 1.0 / 60;
// After the last input frames go on for a while: tooltips appear late, and a new layout takes some frames to settle.
constexpr double kLinger = 0.6;
constexpr int kLingerFrames = 4;  // a click's effect takes some of them, however slow they are
constexpr double kWorkerPoll = 1.0 / 30;
constexpr double kCaretBlink = 0.1;
// Type that is read from the last row: with it a line of text takes about a thirtieth of the screen's height.
constexpr float kHallScale = 1.5F;
// The clock of a presentation, and the bar that hides.
constexpr double kClockTick = 0.25;
// A kernel is run when the user pauses typing.
constexpr double kTypingPause = 0.15;

field::FieldOptions fieldOptions(const AppOptions& options, const render::Context& context, measuring::GpuGate& gate) {
  return field::FieldOptions{.shaders = options.shaders,
                             .software = context.isSoftware(),
                             .gpu = options.gpu,
                             .device = options.device,
                             .program = options.program,
                             .gate = measuring::asking(gate)};
}

void clear(ImU32 colour) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  glClearColor(c.x, c.y, c.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

// The thread in the middle of a block: unlike the first one, it computes an output point in most kernels.
std::uint32_t middleThread(const Dim3& block) {
  return static_cast<std::uint32_t>(linear({block.x / 2, block.y / 2, block.z / 2}, block));
}

}  // namespace

App::App(AppOptions options, std::unique_ptr<render::Context> context)
    : state_(std::move(options.state)),
      context_(std::move(context)),
      ui_(*context_, options.settings.string()),
      fonts_(options.fonts),
      theme_(options.fonts),
      scenes_(options.shaders, context_->isSoftware()),
      exporter_(*context_, pool_, options.fonts, options.shaders,
                {.updateField = [this] { field_.update(state_); },
                 .fieldChanges = [this] { return field_.changes(); },
                 .leaveFieldUnwatched = [this](bool unwatched) { field_.setUnwatched(unwatched); },
                 .updateVariants = [this] { comparer_.update(state_); }}),
      field_(fieldOptions(options, *context_, gate_), pool_),
      runner_(pool_, state_.catalogue, options.checker),
      documents_(state_, options.memory, [context = context_.get()] { context->wake(); }),
      hardware_(pool_, options.measure ? std::move(options.measure) : measuringOnFirstGpu(gate_),
                options.timeClimb ? std::move(options.timeClimb) : timingOnFirstGpu(gate_, pool_)),
      stepper_(pool_, gate_, options.shaders, options.gpu, options.device),
      quietSince_(Clock::now()),
      pacer_({.now = [] { return std::chrono::duration<double>(Clock::now().time_since_epoch()).count(); },
              .secondsToChange = [this] { return secondsToNextChange(); },
              .sleep = [this](double seconds) { return sleep(seconds); },
              .closing = [this] { return context_->shouldClose(); }}),
      program_(pool_, std::move(options.programs)),
      checks_(static_cast<bool>(options.checker)) {
  runner_.provide(std::exchange(state_.experiment, nullptr));
  if (const auto initial = std::exchange(state_.comparison.initial, {}); !initial.empty()) {
    for (const std::string& kernel : initial) { toggleCompared(state_, kernel); }
    startComparison(state_);
  }
  state_.glRenderer = context_->rendererName();
  state_.glNote = context_->rendererNote();
  applyTheme();
  applyLanguage();
  askForChoice();
  if (!theme_.fontWarning().empty()) { trPrint(stderr, "haloscope: warning: {}\n", theme_.fontWarning()); }
}

App::~App() = default;

void App::applyTheme() {
  const float scale = typeScale(context_->width(), context_->height(), context_->contentScale()) * state_.view.scale *
                      (state_.presenting.on ? kHallScale : 1.0F);
  if (themeApplied_ && theme_.light() == state_.view.light && theme_.scale() == scale) { return; }
  theme_.apply(state_.view.light, scale);
  themeApplied_ = true;
}

void App::applyLanguage() {
  std::optional<Language>& chosen = state_.view.language;
  const Language wanted = chosen.value_or(language());
  const bool unwritable = wanted == Language::Chinese && !theme_.writesChinese();
  if (wanted == language() && !unwritable) { return; }
  try {
    setLanguage(unwritable ? Language::English : wanted);
    if (unwritable) { throw LanguageError(trf("{}; the texts are English", theme_.fontWarning())); }
    runner_.forget();
    asked_.reset();
  } catch (const LanguageError& error) {
    state_.languageProblem = error.what();
    chosen = language();
  }
}

bool App::typing() const {
  const auto copy = state_.copies.find(state_.choice.kernel);
  return copy != state_.copies.end() && copy->second.typing && copy->second.revision != askedRevision_;
}

double App::secondsToTypingPause() const {
  return typing() ? std::max(0.0, kTypingPause - secondsSince(typedAt_)) : FramePacer::kSleep;
}

void App::askForChoice(bool now) {
  if (state_.catalogue.find(state_.choice.kernel) == nullptr) { return; }
  const auto copy = state_.copies.find(state_.choice.kernel);
  const bool written = copy != state_.copies.end();
  const std::uint64_t revision = written ? copy->second.revision : 0;
  if (revision != std::exchange(typedRevision_, revision)) { typedAt_ = Clock::now(); }
  const auto launch = state_.launches.find(state_.choice.kernel);
  const std::uint64_t launchRevision = launch != state_.launches.end() ? launch->second.revision : 0;
  const std::uint64_t program = launch != state_.launches.end() ? state_.program.revision : 0;
  const bool sameLaunch =
      asked_ && asked_->kernel == state_.choice.kernel && launchRevision == askedLaunch_ && program == askedProgram_;
  if (asked_ == state_.choice && sameLaunch) {
    if (askedRevision_ == revision) { return; }
    if (!now && written && copy->second.typing && secondsSince(typedAt_) < kTypingPause) { return; }
  }
  asked_ = state_.choice;
  askedRevision_ = revision;
  askedLaunch_ = launchRevision;
  askedProgram_ = program;
  askedAt_ = Clock::now();
  state_.computing = true;
  runner_.request(requestOf(state_, state_.choice));
}

void App::receiveFinished() {
  runner_.setYielding(state_.playground.entered && state_.fieldControls.run);
  if (auto outcome = runner_.poll()) { receive(std::move(*outcome)); }
  if (auto points = runner_.pollRoofline()) {
    state_.roofline = std::move(*points);
    rooflineComes_ = false;
  }
  if (auto report = runner_.pollReport()) { receiveReport(std::move(*report)); }
}

void App::receiveReport(std::shared_ptr<const checking::CheckReport> report) {
  reportComes_ = state_.checking = false;
  if (report != state_.report) { state_.selection.finding.reset(); }
  state_.report = std::move(report);
  showFirstFinding();
}

void App::showFirstFinding() {
  std::string& wanted = state_.selection.showFirstFinding;
  if (wanted.empty() || state_.report == nullptr || state_.experiment->file.id != wanted) { return; }
  wanted.clear();
  const bool untouched = state_.playback.playing || state_.cursor.empty() || state_.cursor.position() == 0 ||
                         state_.cursor.position() == tellingPosition(state_.cursor.recording());
  if (untouched && !state_.editing.open && !findings(state_).empty()) { chooseFinding(state_, 0); }
}

void App::receive(ExperimentOutcome outcome) {
  state_.computing = false;
  if (outcome.read) {
    state_.catalogue.put(outcome.file);
    if (outcome.file.isOpened()) {
      OpenedLaunch& launch = state_.launches[outcome.file.id];
      launch.kernels = outcome.read->kernels;
      launch.assumptions = outcome.read->proposed.assumptions;
      launch.missing = outcome.read->proposed.missing;
      launch.executed = outcome.read->proposed.executed;
      launch.readRevision = askedLaunch_;
      launch.readProgram = askedProgram_;
    }
  }
  if (outcome.experiment == nullptr) {
    const bool shown = state_.experiment != nullptr && state_.experiment->file.text == outcome.file.text;
    state_.problem = Problem{outcome.error, outcome.where, shown ? std::string() : outcome.file.text};
    return;
  }
  state_.problem.reset();
  state_.lastLatencyMs = secondsSince(askedAt_) * 1e3;
  rooflineComes_ = true;
  reportComes_ = state_.checking = checks_;
  const auto before = std::exchange(state_.experiment, std::move(outcome.experiment));
  const experiment::Experiment& now = *state_.experiment;
  state_.changedOutputs =
      before == nullptr ? ChangedOutputs{} : changedOutputs(state_.changedOutputs, *before, state_.experiment);
  forgetMovedBarriers();
  // The program may have launched a smaller grid than was assumed.
  std::optional<Dim3>& block = state_.choice.block;
  const Dim3& grid = now.configuration.grid;
  const bool inside = !block || (block->x < grid.x && block->y < grid.y && block->z < grid.z);
  if (!inside && state_.choice.kernel == now.file.id) { block = now.block; }
  if (before != nullptr && before->file.chapter != now.file.chapter) { state_.roofline.clear(); }
  if (before == nullptr || !(before->file == now.file) || before->bindings != now.bindings ||
      before->choice.withoutBarriers != now.choice.withoutBarriers || before->choice.order != now.choice.order) {
    state_.report.reset();
    state_.selection.finding.reset();
  }
  const bool sameKernel = before != nullptr && before->file.id == now.file.id;
  recording::Cursor cursor = now.recording != nullptr ? recording::Cursor(now.recording) : recording::Cursor();
  const bool anotherShape = before != nullptr && (!sameKernel || before->bindings != now.bindings);
  const bool cameraComes = (state_.awaited.scene != nullptr && state_.awaited.scene->camera) ||
                           (state_.beforeComparison && state_.beforeComparison->left) || state_.comparison.on;
  if (anotherShape && !cameraComes) { refitCamera(state_); }
  if (!cursor.empty() && sameKernel) { cursor.goTo(correspondingPosition(state_.cursor, *now.recording)); }
  if (!cursor.empty() && !sameKernel && state_.playback.beginsAtTelling) {
    cursor.goTo(tellingPosition(*now.recording));
  }
  state_.cursor = std::move(cursor);
  if (before == nullptr || !(before->configuration.block == now.configuration.block)) {
    state_.selection.thread = middleThread(now.configuration.block);
  }
}

/// An edit may have moved or removed a barrier that is left out.
void App::forgetMovedBarriers() {
  const auto forget = [this](std::set<int>& lines) {
    std::erase_if(lines, [this](int line) { return !state_.experiment->barriers.contains(line); });
  };
  if (state_.choice.kernel != state_.experiment->file.id) { return; }
  forget(state_.choice.withoutBarriers);
  // Its lines had no barrier, so the experiment is what the choice without them asks for.
  if (asked_ && asked_->kernel == state_.choice.kernel) { forget(asked_->withoutBarriers); }
}

void App::refreshBlockView() {
  if (state_.cursor.empty() || state_.experiment == nullptr) { return; }
  // By experiment: several of them may share a recording, but each has carriers of its own.
  if (viewed_ == state_.experiment && viewedPosition_ == state_.cursor.position()) { return; }
  state_.blockView = recording::viewBlock(state_.cursor, state_.experiment->footprint, state_.experiment->carriers);
  viewed_ = state_.experiment;
  viewedPosition_ = state_.cursor.position();
}

void App::walkOn(double seconds) {
  if (state_.comparison.follows(state_.experiment)) {
    if (play(state_.playback, state_.comparison.time, seconds)) { followTime(state_); }
  } else {
    play(state_.playback, state_.cursor, seconds);
  }
  comparer_.update(state_);
  walkSteps(state_, seconds);
}

void App::followOrigins() {
  Origins& origins = state_.origins;
  origins.wanted.reset();
  if (!state_.view.tabs.inFront(Tab::Origins) || state_.experiment == nullptr || state_.cursor.empty()) { return; }
  // Of the outputs of a thread that marches through planes: the one that was clicked on, else by the cursor's place.
  const recording::OutputWrites& writes = state_.experiment->writes;
  std::optional<std::int64_t>& clicked = state_.selection.output;
  if (clicked && writes.writer(*clicked) != state_.selection.thread) { clicked.reset(); }
  origins.wanted = clicked ? clicked : writes.of(state_.selection.thread, state_.cursor.position());
  if (origins.wanted) { tracer_.follow({state_.experiment, *origins.wanted}); }
  receiveOrigins(tracer_.poll());
}

void App::receiveOrigins(std::optional<FollowedOutput> result) {
  if (!result) { return; }
  state_.origins.experiment = std::move(result->output.experiment);
  state_.origins.element = result->output.element;
  state_.origins.operand.reset();
  state_.origins.trace = std::move(result->trace);
}

void App::frame(double seconds) {
  receiveFinished();
  noteSolved(state_);
  followVerdict(state_);
  followFinding(state_);
  followBarriers(state_);
  followStagedRace(state_);
  followScene(state_);
  followLesson(state_);
  followStartPage(state_);
  followPlayground(state_);
  applyTheme();
  context_->expectAlive();
  exporter_.update(state_, stepper_.values());
  context_->beginFrame();
  clear(theme_.colours().background);
  ui_.beginFrame(seconds);
  ui::handleKeyboard(state_);
  applyLanguage();
  const double passing = pacer_.passing(seconds);
  walkOn(passing);
  cameraMoves_ = advanceCamera(state_, passing);
  stepper_.update(state_);
  scenes_.setRecorded(state_.comparison.on ? nullptr : stepper_.values());
  refreshBlockView();
  followOrigins();
  exercises_.update(state_);
  making_.update(state_);
  inputs_.update(state_);
  state_.fieldControls.hold = false;  // set again by whatever measures
  hardware_.update(state_);
  tuning_.update(state_, field_.device());
  climb_.update(state_);
  lessons_.receive(state_);
  program_.update(state_, typing());
  workOnFigures(&FigureWork::update);
  field_.update(state_);
  expectDrawing();
  layout_.draw(state_, theme_, scenes_);
  ui_.endFrame();
  present(seconds);
  context_->endFrame();
  for (std::filesystem::path& path : context_->takeDropped()) {
    if (isPicture(path)) {
      dropPicture(state_, path);
    } else {
      state_.fileRequests.open = std::move(path);
    }
  }
  documents_.update(state_);
  const bool changing = ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::GetIO().WantTextInput;
  state_.history.note(chosenNow(state_), changing);
  costs_.update(state_, changing || state_.computing);
  askForChoice();
  lessons_.ask(state_, !working());
}

void App::present(double seconds) {
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  followPresenting(state_, seconds, moved.x != 0 || moved.y != 0);
  const Presenting& presenting = state_.presenting;
  if (std::exchange(fullscreen_, presenting.on) != presenting.on) {
    context_->setFullscreen(presenting.on);
    state_.presenting.notesWindow = presenting.on && context_->monitors() > 1;
  }
  if (notes_ != nullptr && !notes_->shown()) { state_.presenting.notesWindow = false; }
  if (presenting.on && presenting.notesWindow) {
    if (notes_ == nullptr) {
      notes_ = std::make_unique<NotesWindow>(*context_, fonts_);
      if (!notes_->shown()) {
        state_.problem = Problem{tr("No window can be opened for the notes: F12 shows them on this screen."), {}, {}};
      }
    }
    // What the presentation would show, were it not frozen.
    if (still_.taken()) { live_.take(context_->framebuffer(), context_->width(), context_->height()); }
    notes_->draw(state_, still_.taken() ? live_.texture() : 0, context_->width(), context_->height());
    context_->beginFrame();
  } else {
    notes_.reset();
  }
  if (!presenting.frozen) {
    still_.drop();
    live_.drop();
  } else if (!still_.taken()) {
    still_.take(context_->framebuffer(), context_->width(), context_->height());
  } else {
    still_.show(context_->framebuffer(), context_->width(), context_->height());
  }
}

void App::workOnFigures(void (FigureWork::*step)(AppState&)) {
  for (const auto& figure : figures_) {
    // What a figure cannot do costs the figure alone.
    try {
      ((*figure).*step)(state_);
    } catch (const std::exception& problem) { state_.figures.problem = problem.what(); }
  }
}

void App::expectDrawing() {
  const std::string& trouble = state_.gpuTrouble.empty() ? state_.field.problem : state_.gpuTrouble;
  if (trouble == std::exchange(drawnAfter_, trouble) || trouble.empty()) { return; }
  context_->expectDrawing();
  context_->beginFrame();
}

bool App::working() const {
  const bool tracing = state_.origins.wanted && state_.origins.element != *state_.origins.wanted;
  const bool measuring = !state_.hardware.measuring.empty() || state_.tuning.running;
  const bool recording = stepper_.busy() || std::ranges::any_of(figures_, [](const auto& one) { return one->busy(); });
  return state_.computing || rooflineComes_ || program_.busy() || reportComes_ || tracing || measuring || recording ||
         comparer_.busy() || climb_.busy() || exercises_.busy() || making_.busy() || inputs_.busy();
}

double App::secondsToNextChange() {
  double seconds = FramePacer::kSleep;
  const bool lingers = secondsSince(quietSince_) < kLinger || ImGui::GetFrameCount() - quietFrame_ < kLingerFrames;
  // A dolly may have been asked for while this frame was drawn.
  const bool moves = scenes_.moving() || cameraMoves_ || state_.view.dolly;
  if (lingers || field_.changes() || moves || exporter_.busy()) { seconds = 0; }
  if (working() || lessons_.busy() || costs_.busy()) { seconds = std::min(seconds, kWorkerPoll); }
  seconds = std::min({seconds, secondsToTypingPause(), documents_.secondsToNextKeep()});
  if (state_.presenting.on &&
      (state_.presenting.notes || state_.presenting.notesWindow || showsBar(state_.presenting))) {
    seconds = std::min(seconds, kClockTick);
  }
  if (ImGui::GetIO().WantTextInput) { seconds = std::min(seconds, kCaretBlink); }
  return seconds;
}

bool App::sleep(double seconds) {
  const Clock::time_point begin = Clock::now();
  if (seconds > 1e-3) {
    context_->waitEvents(seconds);
  } else {
    context_->pollEvents();
  }
  // Not every event is input for ImGui: a window that is uncovered only has to be drawn again.
  return ui_.inputWaits() || secondsSince(begin) < seconds * 0.9;
}

void App::waitForEvents(double frameSeconds) {
  // A display that paces the frames has let this one's time pass already.
  const double pace = std::max(0.0, kFrameSeconds - frameSeconds);
  double step = secondsToNextOfSteps(state_);
  if (state_.playback.playing) {
    const bool together = state_.comparison.follows(state_.experiment);
    step = std::min(step, together ? secondsToNextStep(state_.playback, state_.comparison.time)
                                   : secondsToNextStep(state_.playback, state_.cursor));
  }
  if (pacer_.wait(pace, step)) {
    quietSince_ = Clock::now();
    quietFrame_ = ImGui::GetFrameCount();
  }
}

void App::run(const WindowOptions& options) {
  const bool measuring = options.frames > 0;
  FrameStatistics statistics;
  Clock::time_point last = Clock::now();
  double frameSeconds = 0;
  while (!context_->shouldClose() && !state_.view.quit) {
    if (measuring || options.uncapped) {
      context_->pollEvents();
    } else {
      waitForEvents(frameSeconds);
    }
    if (context_->width() == 0 || context_->height() == 0) {  // minimised
      context_->waitEvents(FramePacer::kSleep);
      continue;
    }
    const Clock::time_point begin = Clock::now();
    frame(std::chrono::duration<double>(begin - std::exchange(last, begin)).count());
    if (measuring) { glFinish(); }
    context_->swap();
    frameSeconds = secondsSince(begin);
    if (!measuring) { continue; }
    statistics.add(frameSeconds * 1e3);
    const double sinceStart = secondsSince(options.started) * 1e3;
    if (statistics.count() == 1) { statistics.firstFrameMs = sinceStart; }
    if (statistics.firstExperimentMs == 0 && state_.experiment != nullptr) {
      statistics.firstExperimentMs = sinceStart;
    }
    if (statistics.count() == static_cast<std::size_t>(options.frames)) { break; }
  }
  if (measuring) {
    printLines(statistics.json(context_->width(), context_->height(), context_->rendererName()) + '\n');
  }
}

}  // namespace haloscope
