#include "PanelExporter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "actions/Comparing.h"
#include "actions/ExportActions.h"
#include "exporting/Movie.h"
#include "exporting/PanelTable.h"
#include "files/OutputFile.h"
#include "language/Text.h"
#include "program/ElapsedTime.h"
#include "program/SourceLocation.h"
#include "recording/BlockView.h"

namespace haloscope {

namespace {

constexpr int kMostUpdates = 60;  // until the field's picture rests
constexpr double kShare = 0.03;   // seconds of a frame, in which at least one picture is drawn
// Of pictures that are drawn and not written yet; one may wait whatever it takes.
constexpr std::size_t kMostWaiting = 8;
constexpr std::size_t kMostBytesWaiting = std::size_t{256} << 20U;

/// The state as it was, when a page has been drawn from it: panels report where the pointer is, the field's picture
/// gets the page's size, and variants side by side go to the page's time. What only guides a user is left out
/// meanwhile.
class StateKept {
 public:
  explicit StateKept(AppState& state)
      : state_(state),
        tick_(state.comparison.time.position()),
        playback_(state.playback),
        cursor_(state.cursor),
        block_(state.blockView),
        selection_(state.selection),
        field_(state.fieldControls),
        editing_(state.editing.open),
        keysUsed_(state.view.keysUsed) {
    state_.editing.open = false;
    state_.fieldControls.hold = true;
    state_.view.keysUsed = {"step", "interval", "play", kTurned};
  }
  ~StateKept() {
    state_.comparison.time.goTo(tick_);
    state_.playback = playback_;
    state_.cursor = std::move(cursor_);
    state_.blockView = std::move(block_);
    state_.selection = std::move(selection_);
    state_.fieldControls = std::move(field_);
    state_.editing.open = editing_;
    state_.view.keysUsed = std::move(keysUsed_);
  }
  StateKept(const StateKept&) = delete;
  StateKept& operator=(const StateKept&) = delete;

 private:
  AppState& state_;
  std::size_t tick_;
  Playback playback_;
  recording::Cursor cursor_;
  recording::BlockView block_;
  Selection selection_;
  FieldControls field_;
  bool editing_;
  std::set<std::string> keysUsed_;
};

/// Whether the file is there now: not, if it was asked to stop before.
bool write(const std::filesystem::path& path, const std::string& text, const std::stop_token& stop) {
  if (stop.stop_requested()) { return false; }
  OutputFile file(path);
  file.write(text);
  if (stop.stop_requested()) { return false; }
  if (const std::string problem = file.commit(); !problem.empty()) { throw InputError(problem); }
  return true;
}

/// How many pictures of a plan may wait.
std::size_t mostWaiting(const ExportPlan& plan) {
  const auto bytes = static_cast<std::size_t>(4 * plan.pixels());
  return std::clamp<std::size_t>(kMostBytesWaiting / std::max<std::size_t>(bytes, 1), 1, kMostWaiting);
}

exporting::PictureView viewOf(const render::Image& image) { return {image.width, image.height, image.rgba.data()}; }

}  // namespace

struct PanelExporter::Job {
  ExportPlan plan;
  std::shared_ptr<const experiment::Experiment> of{};
  std::vector<ExportMoment> moments{};        ///< of an animation
  Movement movement = Movement::None;         ///< ... and what they are of
  bool sweeping = false;                      ///< the field is on its way to the next one
  bool ran = false;                           ///< it was swept on and on before
  recording::Cursor cursor{};                 ///< at the last one that was drawn
  std::size_t drawn = 0, all = 1;             ///< pictures
  std::deque<Task> tasks{};                   ///< of the writer, in order
  std::shared_ptr<exporting::Movie> movie{};  ///< null: another kind of file
  std::stop_source cancelled{};               ///< not the writer's, which would not say what was written all the same
};

PanelExporter::PanelExporter(render::Context& context, work::Pool& pool, std::vector<std::filesystem::path> fonts,
                             std::filesystem::path shaders, MovingSources sources)
    : context_(context),
      fonts_(std::move(fonts)),
      shaders_(std::move(shaders)),
      sources_(std::move(sources)),
      writer_(pool, {work::Priority::Foreground, work::Cores::One},
              [](const Task& task, const std::stop_token&) { return task(); }) {}

PanelExporter::~PanelExporter() {
  if (job_ != nullptr) { stop(); }
}

void PanelExporter::update(AppState& state, render::RecordedValues* recorded) {
  Exporting& exporting = state.exporting;
  try {
    if (std::exchange(exporting.cancel, false) && job_ != nullptr) { stop(); }
    if (std::exchange(exporting.wanted, false) && job_ == nullptr) { begin(state); }
    if (job_ != nullptr) { goOn(state, recorded); }
  } catch (const render::ContextError&) {
    end(state);
    throw;
  } catch (const std::exception& problem) {
    // What a cancelled one leaves undone is no problem.
    if (job_ == nullptr || !job_->cancelled.stop_requested()) { exporting.problem = problem.what(); }
    end(state);
  }
}

void PanelExporter::wait(const std::stop_token& stop) {
  if (job_ == nullptr) { return; }
  if (job_->sweeping) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  if (mayDraw()) { return; }
  const std::stop_callback ended(stop, [cancelled = job_->cancelled]() mutable { cancelled.request_stop(); });
  writer_.finish();
}

void PanelExporter::begin(AppState& state) {
  Exporting& exporting = state.exporting;
  exporting.problem.clear();
  exporting.written.clear();
  exporting.note.clear();
  const ExportPlan& plan = exporting.plan;
  expectExportable(plan);
  job_ = std::make_unique<Job>(Job{plan});
  job_->of = state.experiment;
  if (plan.moves()) {
    job_->moments = exportMoments(state, plan);
    job_->all = job_->moments.size();
    job_->cursor = state.cursor;
    job_->movement = movementOf(plan.panel);
    job_->movie = exporting::beginMovie(plan);
    if (job_->movement == Movement::Sweeps) {
      FieldControls& field = state.fieldControls;
      job_->ran = std::exchange(field.run, false);
      field.reset = job_->moments.front().position < state.field.sweeps;
    }
  }
  exporting.done = 0;
  exporting.all = job_->all;
  exporting.running = true;
}

void PanelExporter::goOn(AppState& state, render::RecordedValues* recorded) {
  if (job_->drawn < job_->all && job_->of != state.experiment) {
    throw InputError(tr("the kernel has been executed again since the export began: it was cancelled"));
  }
  const auto began = std::chrono::steady_clock::now();
  const std::stop_token stop = job_->cancelled.get_token();
  while (mayDraw()) {
    if (job_->movement == Movement::Sweeps && !swept(state)) { break; }
    drawNext(state, recorded);
    if (++job_->drawn == job_->all && job_->movie != nullptr) {
      job_->tasks.emplace_back([movie = job_->movie, stop] { return movie->finish(stop); });
    }
    if (secondsSince(began) > kShare) { break; }
  }
  if (const std::optional<bool> there = writer_.poll()) {
    // The last picture is done when the file is there.
    state.exporting.done = std::min(state.exporting.done + 1, state.exporting.all - (*there ? 0 : 1));
    if (*there) { state.exporting.written = job_->plan.output; }
  }
  if (writer_.busy()) { return; }
  if (!job_->tasks.empty()) {
    writer_.request(std::move(job_->tasks.front()));
    job_->tasks.pop_front();
  } else if (job_->drawn == job_->all || stop.stop_requested()) {
    end(state);
  }
}

bool PanelExporter::mayDraw() const {
  return !job_->cancelled.stop_requested() && job_->drawn < job_->all && job_->tasks.size() < mostWaiting(job_->plan);
}

bool PanelExporter::swept(AppState& state) {
  FieldControls& controls = state.fieldControls;
  const std::size_t goal = job_->moments[job_->drawn].position;
  if (!std::exchange(job_->sweeping, true)) { sources_.leaveFieldUnwatched(true); }
  if (!controls.reset && state.field.sweeps < goal) { controls.goal = goal; }
  controls.run = false;
  sources_.updateField();
  const FieldStatus& field = state.field;
  if (!field.problem.empty()) { throw InputError(field.problem); }
  if (!field.preparing && field.path == FieldPath::None) { throw InputError(tr("there is no field to sweep")); }
  if (!field.noTimeStep.empty()) { throw InputError(field.noTimeStep); }
  if (controls.reset || field.preparing || field.sweeps < goal || sources_.fieldChanges()) { return false; }
  if (field.sweeps > goal) {
    if (job_->drawn > 0) {
      throw InputError(trf("the field has been swept on to {} during the export, beyond sweep {}: it was cancelled",
                           field.sweeps, goal));
    }
    controls.reset = true;  // sweeps were on their way when the export began
    return false;
  }
  job_->sweeping = false;
  sources_.leaveFieldUnwatched(false);
  return true;
}

/// To the next picture's place.
void PanelExporter::move(AppState& state) {
  const auto& [at, share] = job_->moments[job_->drawn];
  if (job_->movement == Movement::Steps) {
    job_->cursor.goTo(at);
    state.cursor = job_->cursor;
    state.playback.held = share;
  } else if (job_->movement == Movement::Common) {
    goToTick(state, at);
    sources_.updateVariants();
  }
}

void PanelExporter::drawPage(AppState& state, render::RecordedValues* recorded) {
  const ExportPlan& plan = job_->plan;
  {
    const StateKept kept(state);
    if (plan.moves()) { move(state); }
    if (!state.cursor.empty()) {
      state.blockView = recording::viewBlock(state.cursor, job_->of->footprint, job_->of->carriers);
    }
    studio_->draw(state, plan, recorded);
    if (plan.panel == Tab::Field) {
      // The field's picture has the page's size from now on; that of a volume is coarse at first, and colours follow
      // the values.
      for (int i = 0; i < 2 || (i < kMostUpdates && sources_.fieldChanges()); ++i) { sources_.updateField(); }
      studio_->draw(state, plan, recorded);
    }
  }
  if (job_->movement == Movement::Common) { sources_.updateVariants(); }
}

void PanelExporter::drawNext(AppState& state, render::RecordedValues* recorded) {
  const ExportPlan& plan = job_->plan;
  const std::stop_token stop = job_->cancelled.get_token();
  if (plan.isTable()) {
    job_->tasks.emplace_back(
        [text = exporting::panelTable(state, plan), path = plan.output, stop] { return write(path, text(), stop); });
    return;
  }
  if (studio_ == nullptr) { studio_ = std::make_unique<PanelStudio>(context_, fonts_, shaders_); }
  drawPage(state, recorded);
  // Otherwise it is black. The file gets its name later.
  if (job_->drawn + 1 == job_->all) { context_.expectDrawing(); }
  std::vector<std::string> notes;
  if (studio_->isCut()) {
    notes.emplace_back(tr("the panel has more to show than a picture has room for: the picture ends before it does"));
  }
  if (plan.format == ExportFormat::Svg) {
    ui::DrawnSvg svg = studio_->svg(state, plan);
    if (svg.hasPixels) {
      notes.emplace_back(
          tr("part of it is an embedded picture of pixels: it is not a drawing, or has more than 20,000 cells"));
    }
    job_->tasks.emplace_back(
        [text = std::move(svg.text), path = plan.output, stop] { return write(path, text, stop); });
  } else if (job_->movie != nullptr) {
    job_->tasks.emplace_back([movie = job_->movie, pixels = studio_->pixels(), stop]() mutable {
      const render::Image image = PanelStudio::upright(std::move(pixels));
      if (!stop.stop_requested()) { movie->add(viewOf(image), stop); }
      return false;
    });
  } else {
    job_->tasks.emplace_back([pixels = studio_->pixels(), path = plan.output, stop]() mutable {
      return write(path, PanelStudio::upright(std::move(pixels)).png(), stop);
    });
  }
  if (!notes.empty()) { state.exporting.note = fmt::format("{}", fmt::join(notes, "; ")); }
}

/// What is being written ends as soon as it can; then end() follows.
void PanelExporter::stop() {
  job_->cancelled.request_stop();
  job_->tasks.clear();
}

void PanelExporter::end(AppState& state) {
  if (job_ != nullptr) {
    stop();
    if (job_->movement == Movement::Sweeps) {
      state.fieldControls.run = job_->ran;
      state.fieldControls.goal = 0;
      sources_.leaveFieldUnwatched(false);
    }
  }
  writer_.cancel();
  job_.reset();
  studio_.reset();
  state.exporting.running = false;
}

}  // namespace haloscope
