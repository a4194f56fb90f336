#include "questions/CompiledCode.h"

#include <memory>
#include <string>
#include <utility>

#include "figures/CodeReport.h"
#include "program/SourceLocation.h"
#include "questions/Execution.h"

namespace haloscope::questions {

namespace {

/// The architecture that registers are asked for.
constexpr const char kArchitecture[] = "sm_90";

}  // namespace

const figures::CodeReport& Execution::code() {
  if (!code_) {
    const figures::CodeReporter reporter;
    if (!reporter.missing().empty()) { throw MissingError(reporter.missing()); }
    figures::CodeReport report;
    report.id = file_.id;
    report.bindings = bindings_;
    reporter.report(file_, report, figures::targetOfArchitecture(kArchitecture));
    code_ = std::make_shared<const figures::CodeReport>(std::move(report));
  }
  if (!code_->problem.empty()) { throw errorOf(code_->problem); }
  return *code_;
}

double compiledRegisters(Execution& execution) { return execution.code().registers; }
double compiledOccupancy(Execution& execution) { return execution.code().occupancy.share; }
double compiledBlocks(Execution& execution) { return static_cast<double>(execution.code().occupancy.residentBlocks); }

}  // namespace haloscope::questions
