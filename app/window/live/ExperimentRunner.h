#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "opening/KernelReading.h"
#include "program/SourceLocation.h"
#include "work/Worker.h"

namespace haloscope {

/// The result of a request: an experiment, or an error.
struct ExperimentOutcome {
  experiment::Choice choice;
  KernelFile file;                            ///< as it was read; only its text where that is what failed
  std::optional<opening::ReadKernel> read{};  ///< the result of rereading it
  std::shared_ptr<const experiment::Experiment> experiment{};  ///< null on error
  std::string error{};  ///< one line: "47:12: message" where it has a place in the text
  SourceRange where{};  ///< in the kernel's text, when the error has a place there
  double seconds = 0;   ///< from the beginning of the work to the outcome
};

/// Makes experiments in the background, then the roofline points of the chapter and what the checks say, so that the
/// picture does not wait for those. A newer request replaces a stale one, whether waiting or running. What a request
/// has in common with the experiment before it is not executed again.
class ExperimentRunner {
 public:
  using Made = std::shared_ptr<const experiment::Experiment>;
  using Points = std::vector<experiment::RooflinePoint>;
  using Report = std::shared_ptr<const checking::CheckReport>;

  /// `catalogue`: the variants that the roofline compares with. Without a checker there are no reports.
  ExperimentRunner(work::Pool& pool, Catalogue catalogue, checking::Checker checker = {});

  void request(opening::Request request);
  /// An experiment that was made elsewhere and counts as the one before the next request.
  void provide(Made known) { known_ = std::move(known); }
  /// The next request is executed as if it were the first: its texts are to be in another language.
  void forget();
  /// Checks that begin from now on leave the cores to what is swept.
  void setYielding(bool yields) { yields_ = yields; }
  [[nodiscard]] bool busy() const { return experiments_.busy(); }
  /// The outcome of the newest request, once; nothing while it runs. Never blocks.
  std::optional<ExperimentOutcome> poll();
  /// Blocks until the newest request has an outcome.
  ExperimentOutcome wait();

  /// The roofline points of the chapter for the newest finished request, once. Never blocks.
  std::optional<Points> pollRoofline();
  /// Blocks until they are there.
  Points waitRoofline();

  /// What the checks say of the newest finished request, once; null if they could not be made. Never blocks.
  std::optional<Report> pollReport();
  /// Blocks until it is there.
  Report waitReport();

 private:
  struct Job {
    opening::Request request;
    Made known;
  };
  struct RooflineJob {
    Made experiment;
    Points known;  ///< of other variants
  };

  using Others = std::shared_ptr<const std::vector<KernelFile>>;
  struct ReportJob {
    Made experiment;
    Others others;  ///< kernels of the same text; null: none
    bool yields = false;
  };

  [[nodiscard]] Points makeRoofline(const RooflineJob& job, const std::stop_token& stop) const;
  [[nodiscard]] Report makeReport(const ReportJob& job, const std::stop_token& stop) const;
  void begin(const Made& experiment);

  bool yields_ = false;
  const Catalogue catalogue_;
  const checking::Checker checker_;
  Made known_;                            ///< the last good experiment; null: none yet
  Made followed_;                         ///< what the points and the report are about
  Made interrupted_;                      ///< what they were to be about when a newer request came; null: none
  std::optional<Points> points_;          ///< of that; none yet
  std::optional<Report> report_;          ///< ...
  bool pointsWanted_ = false;             ///< by pollRoofline(): they were not taken since the newest outcome
  bool reportWanted_ = false;             ///< ... by pollReport()
  std::map<std::string, Others> others_;  ///< by file, as it was read last
  work::Worker<Job, ExperimentOutcome> experiments_;
  work::Worker<RooflineJob, Points> rooflines_;
  work::Worker<ReportJob, Report> reports_;
};

}  // namespace haloscope
