#include "live/RegistersFigureWork.h"

#include <algorithm>
#include <utility>

#include "measuring/TuningMap.h"
#include "state/AppState.h"
#include "state/ChosenGpu.h"

namespace haloscope {

namespace {

constexpr const char* kRegisters = "registers";

}  // namespace

RegistersFigureWork::RegistersFigureWork()
    // The task's work is copied for every job; the reporter is one for all.
    : task_([reporter = std::make_shared<std::optional<figures::CodeReporter>>()](const Job& job,
                                                                                  const std::stop_token&) {
        if (!*reporter) { reporter->emplace(); }
        Done done{job, (*reporter)->version(), (*reporter)->missing()};
        (*reporter)->report(*job.file, done.job.report, job.target);
        return done;
      }) {}

void RegistersFigureWork::receive(AppState& state, Done done) const {
  RegistersFigure& figure = state.figures.registers;
  figure.compiler = std::move(done.compiler);
  figure.missing = std::move(done.missing);
  if (done.job.list == number_) { figure.reports[done.job.index] = std::move(done.job.report); }
}

void RegistersFigureWork::requestNext(const AppState& state) {
  const RegistersFigure& figure = state.figures.registers;
  const auto next = std::ranges::find(figure.reports, false, &figures::CodeReport::done);
  if (next == figure.reports.end()) { return; }
  const experiment::Experiment& experiment = *state.experiment;
  Job job{number_, static_cast<std::size_t>(next - figure.reports.begin()), nullptr, *next, figure.target};
  const bool own = next->id == experiment.file.id;
  const KernelFile* file = own ? &experiment.file : state.catalogue.find(next->id);
  job.file = std::make_shared<const KernelFile>(file == nullptr ? experiment.file : *file);
  task_.request(job);
}

void RegistersFigureWork::update(AppState& state) {
  if (auto done = task_.poll()) { receive(state, *std::move(done)); }
  const measuring::GpuSpec* gpu = chosenGpu(state);
  if (!state.figures.shows(kRegisters) || state.experiment == nullptr || gpu == nullptr) { return; }
  const experiment::Experiment& experiment = *state.experiment;
  RegistersFigure& figure = state.figures.registers;
  const figures::CodeTarget target = codeTarget(*gpu);
  Asked asked{experiment.file.id, experiment.file.text, experiment.bindings, figure.ofSizes, target};
  const bool another = asked_ != asked;
  if (another) {
    asked_ = std::move(asked);
    ++number_;
    figure.target = target;
    const std::vector<std::string> axes = measuring::tuningAxes(experiment.file);
    figure.axis = figure.ofSizes && !axes.empty() ? axes.front() : std::string();
    figure.reports = figure.ofSizes ? figures::planSizes(experiment.file, experiment.bindings)
                                    : figures::planVariants(state.catalogue, experiment.file, experiment.bindings);
  }
  if (another || !task_.busy()) { requestNext(state); }
}

void RegistersFigureWork::settle(AppState& state) {
  update(state);
  while (task_.busy()) {
    if (auto done = task_.wait()) { receive(state, *std::move(done)); }
    update(state);
  }
}

}  // namespace haloscope
