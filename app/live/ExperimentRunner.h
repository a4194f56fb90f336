#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "opening/KernelReading.h"
#include "program/Catalogue.h"
#include "program/SourceLocation.h"

namespace haloscope {

/// What came of a request: an experiment, or an error.
struct Outcome {
  experiment::Choice choice;
  KernelFile file;                          ///< as it was read; only its text where that is what failed
  std::optional<opening::ReadKernel> read;  ///< what came of rereading it
  std::shared_ptr<const experiment::Experiment> experiment;  ///< null on error
  std::string error;   ///< one line: "47:12: message" where it has a place in the text
  SourceRange where;   ///< in the kernel's text, when the error has a place there
  double seconds = 0;  ///< from request to outcome
};

/// Makes experiments on a worker thread. A newer request replaces a stale one, whether waiting or running.
class ExperimentRunner {
 public:
  /// `catalogue`: the variants that the roofline compares with. Without a checker there are no reports.
  explicit ExperimentRunner(Catalogue catalogue, checking::Checker checker = {});
  ~ExperimentRunner();
  ExperimentRunner(const ExperimentRunner&) = delete;
  ExperimentRunner& operator=(const ExperimentRunner&) = delete;

  void request(opening::Request request);
  /// An experiment that was made elsewhere: what the next request has in common with it is not executed again.
  void provide(std::shared_ptr<const experiment::Experiment> known);
  [[nodiscard]] bool busy() const;
  /// The outcome of the newest request, once; nothing while it runs. Never blocks.
  std::optional<Outcome> poll();
  /// Blocks until the newest request has an outcome.
  Outcome wait();

  /// The roofline points of the chapter for the newest finished request; they follow the experiment itself, so that the
  /// picture does not wait for them. Once per change; never blocks.
  std::optional<std::vector<experiment::RooflinePoint>> pollRoofline();
  /// Blocks until they are there.
  std::vector<experiment::RooflinePoint> waitRoofline();

  /// What the checks say of the newest finished request; it follows the roofline. Null if they could not be made.
  std::optional<std::shared_ptr<const checking::CheckReport>> pollReport();
  /// Blocks until it is there.
  std::shared_ptr<const checking::CheckReport> waitReport();

 private:
  /// What a report depends on: not the focused block.
  struct Checked {
    std::string text;
    Bindings bindings;
    experiment::Choice choice;
    std::shared_ptr<const checking::CheckReport> report;
  };

  void finishRoofline(const experiment::Experiment& experiment, const std::stop_token& cancelled);
  void finishReport(const experiment::Experiment& experiment, const std::stop_token& cancelled);
  void work(const std::stop_token& stop);

  const Catalogue catalogue_;
  const checking::Checker checker_;
  Checked checked_;  ///< the worker's own
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<opening::Request> pending_;
  std::shared_ptr<const experiment::Experiment> known_;  ///< the last good one
  std::stop_source running_;
  bool busy_ = false;
  bool rooflineBusy_ = false;
  bool reportBusy_ = false;
  std::optional<Outcome> outcome_;
  std::optional<std::vector<experiment::RooflinePoint>> roofline_;
  std::optional<std::shared_ptr<const checking::CheckReport>> report_;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace haloscope
