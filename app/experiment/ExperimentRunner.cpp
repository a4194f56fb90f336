#include "experiment/ExperimentRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "program/ElapsedTime.h"

namespace haloscope::experiment {

namespace {

/// Makes the experiment that is asked for; what goes wrong becomes a message.
Outcome make(const Request& request, const std::stop_token& stop) {
  Outcome outcome;
  outcome.choice = request.choice;
  outcome.file = request.file;
  RunOptions options;
  options.stop = stop;
  try {
    if (request.reread) {
      outcome.read = readKernel(request);
      outcome.file = outcome.read->proposed.file;
    }
    outcome.experiment = run(outcome.file, request.choice, options);
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

std::vector<RooflinePoint> makeRoofline(const Catalogue& catalogue, const Experiment& experiment,
                                        const std::stop_token& stop) {
  std::vector<RooflinePoint> points;
  RunOptions options;
  options.stop = stop;
  for (const KernelFile* file : catalogue.family(experiment.file)) {
    try {
      if (file->id == experiment.file.id) {
        points.push_back({file->id, file->title, experiment.bindings, experiment.opPerByte.formula,
                          experiment.opPerByte.interiorBlock});
      } else {
        points.push_back(rooflinePoint(*file, file->bind(carryOver(experiment.bindings, *file)), options));
      }
    } catch (const std::exception&) {
      continue;  // one that cannot be read, launched or held in memory at these values: opening it says why
    }
  }
  if (std::ranges::find(points, experiment.file.id, &RooflinePoint::id) == points.end()) {
    // A file that the person brought is in no chapter.
    points.push_back({experiment.file.id, experiment.file.title, experiment.bindings, experiment.opPerByte.formula,
                      experiment.opPerByte.interiorBlock});
  }
  return points;
}

/// A kernel in a header belongs to the program that was opened. The text may be the program's or the header's.
StudentFile openAgain(const Request& request) {
  const KernelFile& file = request.file;
  if (file.includedBy.empty() || file.includedBy == file.path) {
    return openStudentText(file.path, file.text, request.overrides);
  }
  LaunchOverrides overrides = request.overrides;
  overrides.headerTexts[file.path.lexically_normal()] = file.text;
  return openStudentFile(file.includedBy, overrides);
}

}  // namespace

ReadKernel readKernel(const Request& request) {
  const KernelFile& file = request.file;
  if (file.text.find("/* haloscope") != std::string::npos) {
    ReadKernel read{{KernelFile::parse(file.id, file.path, file.text), {}, {}, {}}, {}};
    read.proposed.file.chapter = file.chapter;
    return read;
  }
  const StudentFile student = openAgain(request);
  const auto refused = std::ranges::find(student.unread, file.kernel, &UnreadKernel::kernel);
  if (refused != student.unread.end()) { throw refused->errors.front(); }
  if (student.kernels.empty()) {
    if (!student.unread.empty()) { throw student.unread.front().errors.front(); }
    if (student.diagnostics.empty()) { throw SourceError(file.path.string(), {}, "there is no kernel in this file"); }
    throw SourceError(file.path.string(), student.diagnostics.front().where, student.diagnostics.front().message);
  }
  ReadKernel read;
  for (const ProposedKernel& kernel : student.kernels) { read.kernels.push_back(kernel.file.kernel); }
  const auto wanted = std::ranges::find(read.kernels, file.kernel);
  const auto index = wanted == read.kernels.end() ? 0 : wanted - read.kernels.begin();
  read.proposed = student.kernels[static_cast<std::size_t>(index)];
  read.proposed.file.id = file.id;
  read.proposed.file.chapter = file.chapter;
  return read;
}

ExperimentRunner::ExperimentRunner(Catalogue catalogue, Checker checker)
    : catalogue_(std::move(catalogue)),
      checker_(std::move(checker)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

ExperimentRunner::~ExperimentRunner() {
  const std::scoped_lock lock(mutex_);
  pending_.reset();  // else the worker would begin it before it sees that it should end
  thread_.request_stop();
  running_.request_stop();
}

void ExperimentRunner::request(Request request) {
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

std::optional<std::vector<RooflinePoint>> ExperimentRunner::pollRoofline() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(roofline_, std::nullopt);
}

std::vector<RooflinePoint> ExperimentRunner::waitRoofline() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return roofline_.has_value() || !rooflineBusy_; });
  return std::exchange(roofline_, std::nullopt).value_or(std::vector<RooflinePoint>{});
}

std::optional<std::shared_ptr<const CheckReport>> ExperimentRunner::pollReport() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(report_, std::nullopt);
}

std::shared_ptr<const CheckReport> ExperimentRunner::waitReport() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return report_.has_value() || !reportBusy_; });
  return std::exchange(report_, std::nullopt).value_or(nullptr);
}

void ExperimentRunner::finishRoofline(const Experiment& experiment, const std::stop_token& cancelled) {
  std::vector<RooflinePoint> points = makeRoofline(catalogue_, experiment, cancelled);
  const std::scoped_lock lock(mutex_);
  if (pending_) { return; }
  roofline_ = std::move(points);
  rooflineBusy_ = false;
  changed_.notify_all();
}

void ExperimentRunner::finishReport(const Experiment& experiment, const std::stop_token& cancelled) {
  if (!checker_) { return; }
  Choice choice = experiment.choice;
  choice.block.reset();
  const bool known = checked_.report != nullptr && checked_.text == experiment.file.text &&
                     checked_.bindings == experiment.bindings && checked_.choice == choice;
  if (!known) {
    checked_.report.reset();
    try {
      checked_.report = std::make_shared<const CheckReport>(checker_(experiment, cancelled));
    } catch (const std::exception&) {
      checked_.report = nullptr;  // what cannot be launched or held in memory: the experiment said why
    }
    if (cancelled.stop_requested()) {
      checked_.report.reset();
      throw Cancelled{};
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
    Request request;
    std::stop_token cancelled;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return pending_.has_value(); })) { return; }
      request = *std::exchange(pending_, std::nullopt);
      running_ = std::stop_source();
      cancelled = running_.get_token();
    }
    // Whatever a stale request yields is dropped: only the newest one's outcome is ever posted.
    const auto begin = std::chrono::steady_clock::now();
    try {
      Outcome outcome = make(request, cancelled);
      outcome.seconds = secondsSince(begin);
      const std::shared_ptr<const Experiment> experiment = outcome.experiment;
      {
        const std::scoped_lock lock(mutex_);
        if (pending_) { continue; }
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
    } catch (const Cancelled&) {
      continue;  // a newer request waits, or the runner is going away
    }
  }
}

}  // namespace haloscope::experiment
