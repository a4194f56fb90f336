#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "experiment/Check.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/StudentFile.h"
#include "program/Catalogue.h"
#include "program/SourceLocation.h"
#include "simt/Observer.h"

namespace haloscope::experiment {

/// How much of an experiment to make.
struct RunOptions {
  bool record = true;     ///< record the focused block
  bool countGrid = true;  ///< execute the whole grid and count
  unsigned workers = 0;   ///< 0: one per core
  InputKind input = InputKind::Blobs;
  std::stop_token stop;
  std::span<simt::Observer* const> beside{};  ///< what else observes the whole grid
};

/// Makes one experiment, on the calling thread. Throws InputError or SourceError (CompileError among them); throws
/// Cancelled when asked to stop.
std::shared_ptr<const Experiment> run(const KernelFile& file, const Choice& choice, const RunOptions& options = {});
/// As above, of the catalogue's kernel.
std::shared_ptr<const Experiment> run(const Catalogue& catalogue, const Choice& choice, const RunOptions& options = {});

struct Cancelled {};

/// OP/B of one variant, without a recording and with the interior block alone executed: what the roofline needs.
RooflinePoint rooflinePoint(const KernelFile& file, const Bindings& bindings, const RunOptions& options = {});

/// The bindings of `from` that `file` knows and whose values it can take: what carries over when the variant changes.
Bindings carryOver(const Bindings& from, const KernelFile& file);

/// What to make an experiment of: a choice, and the text it is about, by value; a person may be typing in it.
struct Request {
  Choice choice;
  KernelFile file;
  bool reread = false;          ///< the text is newer than what the rest of `file` says: its header is read first
  LaunchOverrides overrides{};  ///< of a text without header: what the person says of its launch
};

/// A kernel's text as it was read, and what had to be assumed for it.
struct ReadKernel {
  ProposedKernel proposed;
  std::vector<std::string> kernels;  ///< of a text without header: all that it has
};

/// Reads the text of a request. Throws SourceError or InputError.
[[nodiscard]] ReadKernel readKernel(const Request& request);

/// What came of a request: an experiment, or an error.
struct Outcome {
  Choice choice;
  KernelFile file;                               ///< as it was read; only its text where that is what failed
  std::optional<ReadKernel> read;                ///< what came of rereading it
  std::shared_ptr<const Experiment> experiment;  ///< null on error
  std::string error;                             ///< one line: "47:12: message" where it has a place in the text
  SourceRange where;                             ///< in the kernel's text, when the error has a place there
  double seconds = 0;                            ///< from request to outcome
};

/// Checks what an experiment executed, whichever block it focuses on.
using Checker = std::function<CheckReport(const Experiment&, const std::stop_token&)>;

/// Makes experiments on a worker thread. A newer request replaces a stale one, whether waiting or running.
class ExperimentRunner {
 public:
  /// `catalogue`: the variants that the roofline compares with. Without a checker there are no reports.
  explicit ExperimentRunner(Catalogue catalogue, Checker checker = {});
  ~ExperimentRunner();
  ExperimentRunner(const ExperimentRunner&) = delete;
  ExperimentRunner& operator=(const ExperimentRunner&) = delete;

  void request(Request request);
  [[nodiscard]] bool busy() const;
  /// The outcome of the newest request, once; nothing while it runs. Never blocks.
  std::optional<Outcome> poll();
  /// Blocks until the newest request has an outcome.
  Outcome wait();

  /// The roofline points of the chapter for the newest finished request; they follow the experiment itself, so that the
  /// picture does not wait for them. Once per change; never blocks.
  std::optional<std::vector<RooflinePoint>> pollRoofline();
  /// Blocks until they are there.
  std::vector<RooflinePoint> waitRoofline();

  /// What the checks say of the newest finished request; it follows the roofline. Null if they could not be made.
  std::optional<std::shared_ptr<const CheckReport>> pollReport();
  /// Blocks until it is there.
  std::shared_ptr<const CheckReport> waitReport();

 private:
  /// What a report depends on: not the focused block.
  struct Checked {
    std::string text;
    Bindings bindings;
    Choice choice;
    std::shared_ptr<const CheckReport> report;
  };

  void finishRoofline(const Experiment& experiment, const std::stop_token& cancelled);
  void finishReport(const Experiment& experiment, const std::stop_token& cancelled);
  void work(const std::stop_token& stop);

  const Catalogue catalogue_;
  const Checker checker_;
  Checked checked_;  ///< the worker's own
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Request> pending_;
  std::stop_source running_;
  bool busy_ = false;
  bool rooflineBusy_ = false;
  bool reportBusy_ = false;
  std::optional<Outcome> outcome_;
  std::optional<std::vector<RooflinePoint>> roofline_;
  std::optional<std::shared_ptr<const CheckReport>> report_;
  std::jthread thread_;  ///< last: it uses everything above
};

}  // namespace haloscope::experiment
