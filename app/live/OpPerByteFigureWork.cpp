#include "live/OpPerByteFigureWork.h"

#include <utility>

#include "state/AppState.h"
#include "state/ChosenGpu.h"

namespace haloscope {

namespace {

constexpr const char* kOpPerByte = "opb";

}  // namespace

OpPerByteFigureWork::OpPerByteFigureWork() : task_(work) {}

OpPerByteFigureWork::Done OpPerByteFigureWork::work(const Job& job, const std::stop_token& stop) {
  Done done{job, {}, {}};
  switch (job.kind) {
    case Job::Kind::Walls:
      done.curve = *job.walls;
      figures::findWalls(done.curve, job.gpu, job.computeCapability);
      break;
    case Job::Kind::Value:
      figures::execute(*job.file, done.job.point, stop);
      break;
    case Job::Kind::Variant:
      done.variant = figures::variantReuse(*job.file, stop);
      break;
  }
  return done;
}

void OpPerByteFigureWork::plan(AppState& state) {
  const experiment::Experiment& experiment = *state.experiment;
  OpPerByteFigure& figure = state.figures.opPerByte;
  const bool known = experiment.file.findTunable(figure.tunable) != nullptr;
  const std::string tunable = known ? figure.tunable : figures::defaultTunable(experiment.file);
  const measuring::GpuSpec* gpu = chosenGpu(state);
  Asked asked{experiment.file.id, experiment.file.text, tunable, experiment.bindings, gpu ? gpu->name : ""};
  asked.others.erase(tunable);
  if (asked_ == asked) {
    figure.curve.bindings = experiment.bindings;  // another value of the tunable: the curve is the same
    return;
  }
  asked_ = std::move(asked);
  figure.curve =
      figures::planOpPerByte(std::make_shared<const KernelFile>(experiment.file), experiment.bindings, tunable);
  ++number_;
  walls_ = tunable.empty();
}

void OpPerByteFigureWork::receive(AppState& state, Done done) {
  OpPerByteFigure& figure = state.figures.opPerByte;
  if (done.job.kind == Job::Kind::Variant) {
    if (done.job.index == figure.variants.size()) {
      texts_[done.job.file->id] = done.job.file->text;
      figure.variants.push_back(std::move(done.variant));
      figure.rows = figures::reuseRows(figure.variants);
    }
    return;
  }
  if (done.job.curve != number_) { return; }
  if (done.job.kind == Job::Kind::Walls) {
    figure.curve.walls = std::move(done.curve.walls);
    figure.curve.line = std::move(done.curve.line);
    figure.curve.highest = done.curve.highest;
    walls_ = true;
  } else {
    figures::putBack(figure.curve, done.job.index, std::move(done.job.point));
  }
}

void OpPerByteFigureWork::requestNext(const AppState& state) {
  const OpPerByteFigure& figure = state.figures.opPerByte;
  const std::optional<std::size_t> next = figure.curve.next();
  Job job;
  job.curve = number_;
  job.file = figure.curve.file;
  const bool chosenDone = !next || figure.curve.points[*next].value != figure.curve.bindings.at(figure.curve.tunable);
  if (!walls_ && chosenDone) {
    const measuring::GpuSpec* gpu = chosenGpu(state);
    job.kind = Job::Kind::Walls;
    job.walls = std::make_shared<const figures::OpPerByteCurve>(figure.curve);
    if (gpu != nullptr) {
      job.gpu = gpu->name;
      job.computeCapability = gpu->computeCapability;
    }
  } else if (next) {
    job.kind = Job::Kind::Value;
    job.index = *next;
    job.point = figure.curve.points[*next];
  } else {
    const auto variants = figures::variantsWithTaps(state.catalogue);
    if (figure.variants.size() >= variants.size()) { return; }
    job.kind = Job::Kind::Variant;
    job.curve = 0;
    job.index = figure.variants.size();
    job.file = std::make_shared<const KernelFile>(*variants[job.index]);
  }
  task_.request(job);
}

void OpPerByteFigureWork::update(AppState& state) {
  if (auto done = task_.poll()) { receive(state, *std::move(done)); }
  if (!state.figures.shows(kOpPerByte) || state.experiment == nullptr) { return; }
  state.figures.opPerByte.allVariants = figures::variantsWithTaps(state.catalogue).size();
  const auto executed = texts_.find(state.experiment->file.id);
  if (executed != texts_.end() && executed->second != state.experiment->file.text) {
    texts_.clear();
    state.figures.opPerByte.variants.clear();
    state.figures.opPerByte.rows.clear();
  }
  if (state.figures.opPerByte.rows.empty()) { state.figures.opPerByte.rows = figures::reuseRows({}); }
  const std::uint64_t before = number_;
  plan(state);
  // While a job of this curve runs it is not replaced by another.
  if (before != number_ || !task_.busy()) { requestNext(state); }
}

void OpPerByteFigureWork::settle(AppState& state) {
  update(state);
  while (task_.busy()) {
    if (auto done = task_.wait()) { receive(state, *std::move(done)); }
    update(state);
  }
}

}  // namespace haloscope
