#include "PanelExporter.h"

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "documents/FileText.h"
#include "program/SourceLocation.h"
#include "recording/BlockView.h"
#include "state/ExportActions.h"

namespace haloscope {

namespace {

/// The state as it was, when a page has been drawn from it: panels report where the pointer is, and the field's picture
/// gets the page's size.
class StateKept {
 public:
  explicit StateKept(AppState& state)
      : state_(state), selection_(state.selection), field_(state.fieldControls), editing_(state.editing.open) {
    state_.editing.open = false;
    state_.fieldControls.hold = true;
  }
  ~StateKept() {
    state_.selection = std::move(selection_);
    state_.fieldControls = std::move(field_);
    state_.editing.open = editing_;
  }
  StateKept(const StateKept&) = delete;
  StateKept& operator=(const StateKept&) = delete;

 private:
  AppState& state_;
  Selection selection_;
  FieldControls field_;
  bool editing_;
};

}  // namespace

struct PanelExporter::Job {
  ExportPlan plan;
  std::vector<Task> tasks{};  ///< of the writer, in order
  bool drawn = false;
};

PanelExporter::PanelExporter(render::Context& context, work::Pool& pool, std::vector<std::filesystem::path> fonts,
                             std::filesystem::path shaders, std::function<void()> refresh)
    : context_(context),
      fonts_(std::move(fonts)),
      shaders_(std::move(shaders)),
      refresh_(std::move(refresh)),
      writer_(pool, {work::Priority::Foreground, work::Cores::One}, [](const Task& task, const std::stop_token&) {
        task();
        return true;
      }) {}

void PanelExporter::update(AppState& state, render::RecordedValues* recorded) {
  Exporting& exporting = state.exporting;
  try {
    if (std::exchange(exporting.cancel, false) && job_ != nullptr) { end(state); }
    if (std::exchange(exporting.wanted, false) && job_ == nullptr) { begin(state); }
    if (job_ != nullptr) { goOn(state, recorded); }
  } catch (const std::exception& problem) {
    exporting.problem = problem.what();
    end(state);
  }
}

void PanelExporter::begin(AppState& state) {
  Exporting& exporting = state.exporting;
  exporting.problem.clear();
  exporting.written.clear();
  exporting.note.clear();
  exporting.done = 0;
  exporting.all = 1;
  expectExportable(state, exporting.plan);
  job_ = std::make_unique<Job>(Job{exporting.plan});
  exporting.running = true;
}

void PanelExporter::goOn(AppState& state, render::RecordedValues* recorded) {
  if (!job_->drawn) { draw(state, recorded); }
  writer_.poll();
  if (writer_.busy()) { return; }
  if (!job_->tasks.empty()) {
    Task next = std::move(job_->tasks.front());
    job_->tasks.erase(job_->tasks.begin());
    writer_.request(std::move(next));
  } else if (job_->drawn) {
    state.exporting.written = job_->plan.output;
    state.exporting.done = state.exporting.all;
    end(state);
  }
}

void PanelExporter::draw(AppState& state, render::RecordedValues* recorded) {
  if (studio_ == nullptr) { studio_ = std::make_unique<PanelStudio>(context_, fonts_, shaders_); }
  const StateKept kept(state);
  studio_->draw(state, job_->plan, recorded);
  if (job_->plan.panel == Tab::Field) {  // its picture has the page's size from now on
    refresh_();
    studio_->draw(state, job_->plan, recorded);
  }
  job_->drawn = true;
  job_->tasks.emplace_back([image = studio_->pixels(), path = job_->plan.output] {
    if (const std::string problem = replaceWhole(path, image.png()); !problem.empty()) { throw InputError(problem); }
  });
}

void PanelExporter::end(AppState& state) {
  writer_.cancel();
  job_.reset();
  studio_.reset();
  state.exporting.running = false;
}

}  // namespace haloscope
