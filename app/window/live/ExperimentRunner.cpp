#include "live/ExperimentRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "checking/SiblingsInFile.h"
#include "faults/Traps.h"
#include "language/Text.h"
#include "program/ElapsedTime.h"
#include "work/LowPriority.h"

namespace haloscope {

namespace {

/// Makes the requested experiment; an error becomes a message.
ExperimentOutcome makeExperiment(const opening::Request& request,
                                 const std::shared_ptr<const experiment::Experiment>& known,
                                 const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  ExperimentOutcome outcome{.choice = request.choice, .file = request.file};
  experiment::RunOptions options;
  options.stop = stop;
  options.known = known;
  try {
    if (request.reread) {
      outcome.read = opening::readKernel(request);
      outcome.file = outcome.read->proposed.file;
      outcome.file.data = request.file.data;
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
  outcome.seconds = secondsSince(begin);
  return outcome;
}

experiment::RooflinePoint ownPoint(const experiment::Experiment& experiment) {
  return {experiment.file.id, experiment.file.title, experiment.bindings, experiment.opPerByte.formula,
          experiment.opPerByte.interiorBlock};
}

bool sameButBlock(experiment::Choice one, const experiment::Choice& other) {
  one.block = other.block;
  return one == other;
}

/// Whether the checks and the roofline say the same of both: the focused block may differ.
bool sameButBlock(const experiment::Experiment& one, const experiment::Experiment& other) {
  experiment::Choice choice = one.choice;
  choice.bindings = other.choice.bindings;  // compared in full
  return sameButBlock(std::move(choice), other.choice) && one.bindings == other.bindings && one.file == other.file;
}

}  // namespace

ExperimentRunner::ExperimentRunner(work::Pool& pool, Catalogue catalogue, checking::Checker checker)
    : catalogue_(std::move(catalogue)),
      checker_(std::move(checker)),
      experiments_(
          pool, {work::Priority::Foreground, work::Cores::All},
          [](const Job& job, const std::stop_token& stop) { return makeExperiment(job.request, job.known, stop); }),
      rooflines_(pool, {work::Priority::Background, work::Cores::One},
                 [this](const RooflineJob& job, const std::stop_token& stop) { return makeRoofline(job, stop); }),
      reports_(pool, {work::Priority::Background, work::Cores::All},
               [this](const ReportJob& job, const std::stop_token& stop) {
                 if (!job.yields) { return makeReport(job, stop); }
                 Report report;
                 work::atLowPriority([&] { report = makeReport(job, stop); });
                 return report;
               }) {}

void ExperimentRunner::request(opening::Request request) {
  pointsWanted_ = reportWanted_ = false;
  const bool sameLaunch = followed_ != nullptr && !request.reread && followed_->file == request.file &&
                          sameButBlock(request.choice, followed_->choice);
  if (!sameLaunch) {  // they would only delay the experiment
    if (!points_) { rooflines_.cancel(); }
    if (!report_) { reports_.cancel(); }
    const bool unfinished = !points_ || (checker_ && !report_);
    if (followed_ != nullptr && unfinished) { interrupted_ = std::exchange(followed_, nullptr); }
  }
  experiments_.request({std::move(request), known_});
}

void ExperimentRunner::forget() {
  known_ = followed_ = interrupted_ = nullptr;
  points_.reset();
  report_.reset();
}

void ExperimentRunner::begin(const Made& experiment) {
  const Made before = std::exchange(known_, experiment);
  pointsWanted_ = true;
  reportWanted_ = static_cast<bool>(checker_);
  if (followed_ != nullptr && sameButBlock(*followed_, *experiment)) { return; }
  Points known = points_.value_or(Points{});
  if (before != nullptr) {  // its own point is of its text, which may have been edited
    std::erase_if(known, [&](const auto& point) { return point.id == before->file.id; });
  }
  followed_ = experiment;
  points_.reset();
  report_.reset();
  rooflines_.request({experiment, std::move(known)});
  if (!checker_) { return; }
  const auto others = others_.find(experiment->file.id);
  reports_.request({experiment, others == others_.end() ? nullptr : others->second, yields_});
}

std::optional<ExperimentOutcome> ExperimentRunner::poll() {
  std::optional<ExperimentOutcome> outcome = experiments_.poll();
  if (!outcome) { return outcome; }
  if (outcome->read) {
    others_[outcome->file.id] = std::make_shared<const std::vector<KernelFile>>(std::move(outcome->read->others));
  }
  // After an error the experiment before stays on screen: what was to follow it still does.
  const Made before = interrupted_ != nullptr ? std::exchange(interrupted_, nullptr) : followed_;
  if (const Made& shown = outcome->experiment != nullptr ? outcome->experiment : before) { begin(shown); }
  return outcome;
}

ExperimentOutcome ExperimentRunner::wait() {
  experiments_.finish();
  return poll().value_or(ExperimentOutcome{});
}

std::optional<ExperimentRunner::Points> ExperimentRunner::pollRoofline() {
  if (auto points = rooflines_.poll()) { points_ = std::move(points); }
  return points_ && std::exchange(pointsWanted_, false) ? points_ : std::nullopt;
}

ExperimentRunner::Points ExperimentRunner::waitRoofline() {
  rooflines_.finish();
  return pollRoofline().value_or(Points{});
}

std::optional<ExperimentRunner::Report> ExperimentRunner::pollReport() {
  if (auto report = reports_.poll()) { report_ = std::move(report); }
  return report_ && std::exchange(reportWanted_, false) ? report_ : std::nullopt;
}

ExperimentRunner::Report ExperimentRunner::waitReport() {
  reports_.finish();
  return pollReport().value_or(nullptr);
}

ExperimentRunner::Points ExperimentRunner::makeRoofline(const RooflineJob& job, const std::stop_token& stop) const {
  const experiment::Experiment& experiment = *job.experiment;
  Points points;
  experiment::RunOptions options;
  options.stop = stop;
  for (const KernelFile* file : catalogue_.family(experiment.file)) {
    if (file->id == experiment.file.id) {
      points.push_back(ownPoint(experiment));
      continue;
    }
    try {
      const Bindings bindings = file->bind(experiment::carryOver(experiment.bindings, *file));
      const auto known = std::ranges::find_if(
          job.known, [&](const auto& point) { return point.id == file->id && point.bindings == bindings; });
      points.push_back(known != job.known.end() ? *known : experiment::rooflinePoint(*file, bindings, options));
    } catch (const std::exception&) {
      continue;  // one that cannot be read, launched or held in memory at these values: opening it says why
    }
  }
  if (std::ranges::find(points, experiment.file.id, &experiment::RooflinePoint::id) == points.end()) {
    points.push_back(ownPoint(experiment));  // an opened file is in no chapter
  }
  return points;
}

ExperimentRunner::Report ExperimentRunner::makeReport(const ReportJob& job, const std::stop_token& stop) const {
  try {
    const auto judged = [&](const experiment::Experiment& experiment) {
      checking::CheckReport report = checker_(experiment, stop);
      if (job.others) { checking::compareInFile(experiment, *job.others, report, stop); }
      return report;
    };
    checking::CheckReport report = judged(*job.experiment);
    // Zeros or equal coefficients in the program's own data hide mistakes.
    if (job.experiment->launchData && report.findings.empty() && report.notChecked.empty()) {
      experiment::Experiment onOtherData = *job.experiment;
      onOtherData.file.data.reset();
      onOtherData.launchData = false;
      checking::CheckReport more = judged(onOtherData);
      faults::eraseAssertions(more.findings);
      if (!more.findings.empty()) {
        more.notes.emplace_back(tr("Found on random data; the program's own data do not show it."));
        report = std::move(more);
      }
    }
    return std::make_shared<const checking::CheckReport>(std::move(report));
  } catch (const std::exception&) {
    return nullptr;  // what cannot be launched or held in memory: the experiment said why
  }
}

}  // namespace haloscope
