#include "live/ExperimentRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "program/ElapsedTime.h"

namespace haloscope {

namespace {

/// Makes the experiment that is asked for; what goes wrong becomes a message.
Outcome make(const opening::Request& request, std::shared_ptr<const experiment::Experiment> known,
             const std::stop_token& stop) {
  Outcome outcome;
  outcome.choice = request.choice;
  outcome.file = request.file;
  experiment::RunOptions options;
  options.stop = stop;
  options.known = std::move(known);
  try {
    if (request.reread) {
      outcome.read = opening::readKernel(request);
      outcome.file = outcome.read->proposed.file;
    }
    outcome.experiment = experiment::run(outcome.file, request.choice, options);
  } catch (const SourceError& error) {
    outcome.error = error.what();
    if (error.file() == request.file.path.string()) {
      outcome.where = error.where();
      if (outcome.where.valid()) {
        outcome.error = fmt::format("{}:{}: {}", outcome.where.line, outcome.where.column, error.message());
      }
    }
  } catch (const std::exception& error) { outcome.error = error.what(); }
  return outcome;
}

std::vector<experiment::RooflinePoint> makeRoofline(const Catalogue& catalogue,
                                                    const experiment::Experiment& experiment,
                                                    const std::stop_token& stop) {
  std::vector<experiment::RooflinePoint> points;
  experiment::RunOptions options;
  options.stop = stop;
  for (const KernelFile* file : catalogue.family(experiment.file)) {
    try {
      if (file->id == experiment.file.id) {
        points.push_back({file->id, file->title, experiment.bindings, experiment.opPerByte.formula,
                          experiment.opPerByte.interiorBlock});
      } else {
        points.push_back(
            experiment::rooflinePoint(*file, file->bind(experiment::carryOver(experiment.bindings, *file)), options));
      }
    } catch (const std::exception&) {
      continue;  // one that cannot be read, launched or held in memory at these values: opening it says why
    }
  }
  if (std::ranges::find(points, experiment.file.id, &experiment::RooflinePoint::id) == points.end()) {
    // A file that the person brought is in no chapter.
    points.push_back({experiment.file.id, experiment.file.title, experiment.bindings, experiment.opPerByte.formula,
                      experiment.opPerByte.interiorBlock});
  }
  return points;
}

}  // namespace

ExperimentRunner::ExperimentRunner(Catalogue catalogue, checking::Checker checker)
    : catalogue_(std::move(catalogue)),
      checker_(std::move(checker)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

ExperimentRunner::~ExperimentRunner() {
  const std::scoped_lock lock(mutex_);
  pending_.reset();  // else the worker would begin it before it sees that it should end
  thread_.request_stop();
  running_.request_stop();
}

void ExperimentRunner::request(opening::Request request) {
  const std::scoped_lock lock(mutex_);
  pending_ = std::move(request);
  outcome_.reset();
  roofline_.reset();
  report_.reset();
  busy_ = true;
  rooflineBusy_ = true;
  reportBusy_ = true;
  running_.request_stop();
  changed_.notify_all();
}

void ExperimentRunner::provide(std::shared_ptr<const experiment::Experiment> known) {
  const std::scoped_lock lock(mutex_);
  known_ = std::move(known);
}

bool ExperimentRunner::busy() const {
  const std::scoped_lock lock(mutex_);
  return busy_;
}

std::optional<Outcome> ExperimentRunner::poll() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

Outcome ExperimentRunner::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return outcome_.has_value() || !busy_; });
  return std::exchange(outcome_, std::nullopt).value_or(Outcome{});
}

std::optional<std::vector<experiment::RooflinePoint>> ExperimentRunner::pollRoofline() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(roofline_, std::nullopt);
}

std::vector<experiment::RooflinePoint> ExperimentRunner::waitRoofline() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return roofline_.has_value() || !rooflineBusy_; });
  return std::exchange(roofline_, std::nullopt).value_or(std::vector<experiment::RooflinePoint>{});
}

std::optional<std::shared_ptr<const checking::CheckReport>> ExperimentRunner::pollReport() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(report_, std::nullopt);
}

std::shared_ptr<const checking::CheckReport> ExperimentRunner::waitReport() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return report_.has_value() || !reportBusy_; });
  return std::exchange(report_, std::nullopt).value_or(nullptr);
}

void ExperimentRunner::finishRoofline(const experiment::Experiment& experiment, const std::stop_token& cancelled) {
  std::vector<experiment::RooflinePoint> points = makeRoofline(catalogue_, experiment, cancelled);
  const std::scoped_lock lock(mutex_);
  if (pending_) { return; }
  roofline_ = std::move(points);
  rooflineBusy_ = false;
  changed_.notify_all();
}

void ExperimentRunner::finishReport(const experiment::Experiment& experiment, const std::stop_token& cancelled) {
  if (!checker_) { return; }
  experiment::Choice choice = experiment.choice;
  choice.block.reset();
  const bool known = checked_.report != nullptr && checked_.text == experiment.file.text &&
                     checked_.bindings == experiment.bindings && checked_.choice == choice;
  if (!known) {
    checked_.report.reset();
    try {
      checked_.report = std::make_shared<const checking::CheckReport>(checker_(experiment, cancelled));
    } catch (const std::exception&) {
      checked_.report = nullptr;  // what cannot be launched or held in memory: the experiment said why
    }
    if (cancelled.stop_requested()) {
      checked_.report.reset();
      throw experiment::Cancelled{};
    }
    checked_.text = experiment.file.text;
    checked_.bindings = experiment.bindings;
    checked_.choice = choice;
  }
  const std::scoped_lock lock(mutex_);
  if (pending_) { return; }
  report_ = checked_.report;
  reportBusy_ = false;
  changed_.notify_all();
}

void ExperimentRunner::work(const std::stop_token& stop) {
  while (true) {
    opening::Request request;
    std::shared_ptr<const experiment::Experiment> known;
    std::stop_token cancelled;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return pending_.has_value(); })) { return; }
      request = *std::exchange(pending_, std::nullopt);
      known = known_;
      running_ = std::stop_source();
      cancelled = running_.get_token();
    }
    // Whatever a stale request yields is dropped: only the newest one's outcome is ever posted.
    const auto begin = std::chrono::steady_clock::now();
    try {
      Outcome outcome = make(request, std::move(known), cancelled);
      outcome.seconds = secondsSince(begin);
      const std::shared_ptr<const experiment::Experiment> experiment = outcome.experiment;
      {
        const std::scoped_lock lock(mutex_);
        if (pending_) { continue; }
        if (experiment != nullptr) { known_ = experiment; }
        outcome_ = std::move(outcome);
        busy_ = false;
        rooflineBusy_ = experiment != nullptr;
        reportBusy_ = experiment != nullptr && checker_;
        changed_.notify_all();
      }
      if (experiment) {
        finishRoofline(*experiment, cancelled);
        finishReport(*experiment, cancelled);
      }
    } catch (const experiment::Cancelled&) {
      continue;  // a newer request waits, or the runner is going away
    }
  }
}

}  // namespace haloscope
