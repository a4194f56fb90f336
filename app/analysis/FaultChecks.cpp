#include "analysis/FaultChecks.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/Barriers.h"
#include "analysis/Bounds.h"
#include "analysis/ObjectSize.h"
#include "analysis/OutputCoverage.h"
#include "analysis/Races.h"
#include "analysis/Sharing.h"

namespace haloscope::analysis {
namespace {

/// Shadow that a closer look at global arrays may take, over all workers.
constexpr std::int64_t kShadowBytes = std::int64_t{1} << 30;
constexpr std::int64_t kShadowBytesPerUse = 48;

class FaultFinder {
 public:
  FaultFinder(const Program& program, Launch& launch, const FaultOptions& options)
      : program_(program), launch_(launch), options_(options), concurrent_(program) {}

  FaultReport find() {
    const Launch untouched = launch_;
    Races sharedRaces(program_, launch_, true, {});
    Sharing sharing(program_, launch_);
    Bounds bounds(program_, launch_);
    Barriers barriers(program_, launch_);
    std::optional<OutputCoverage> coverage;
    std::vector<simt::Observer*> observers{&sharedRaces, &sharing, &bounds, &barriers};
    if (options_.output != kNone) {
      coverage.emplace(program_, launch_, options_.output, options_.expected);
      observers.push_back(&*coverage);
    }
    simt::ExecuteOptions execute = options_.execute;
    execute.onlyBlocks.clear();
    report_.result = simt::execute(program_, launch_, observers, execute);

    races_ = sharedRaces.races();
    lookCloserAtGlobalArrays(sharing, untouched);
    for (const Race& race : races_) { report_.findings.push_back(race.finding); }
    for (const Bounds::Place& place : bounds.places()) { report_.findings.push_back(bounds.findingOf(place)); }
    for (Finding& finding : barriers.findings()) { report_.findings.push_back(std::move(finding)); }
    if (auto endless = endlessFinding(report_.result, launch_)) { report_.findings.push_back(std::move(*endless)); }
    // What a run that was cut short did not write says nothing.
    if (coverage && report_.result.outcome == simt::Outcome::Finished) {
      if (auto missing = coverage->finding()) { report_.findings.push_back(std::move(*missing)); }
    }
    tidy();
    return std::move(report_);
  }

 private:
  void lookCloserAtGlobalArrays(const Sharing& sharing, const Launch& untouched) {
    std::vector<Races::Window> windows;
    for (ObjectId object = 0; object < program_.objects.size(); ++object) {
      const std::int64_t first = sharing.firstShared(object);
      if (first < 0) { continue; }
      const auto slots = static_cast<std::int64_t>(concurrent_.instructions(object).size());
      const std::int64_t room = std::max<std::int64_t>(1, kShadowBytes / kShadowBytesPerUse / slots);
      windows.push_back({object, first, std::min(elementCount(program_, launch_, object) - first, room)});
    }
    if (windows.empty()) { return; }
    Launch again = untouched;
    Races races(program_, again, false, std::move(windows));
    simt::Observer* const observers[] = {&races};
    simt::ExecuteOptions execute = options_.execute;
    execute.onlyBlocks.clear();
    simt::execute(program_, again, observers, execute);
    for (Race& race : races.races()) { races_.push_back(std::move(race)); }
  }

  /// One finding for each pair of places: an inlined function has its instructions several times.
  void tidy() {
    const auto order = [](const Finding& finding) {
      return std::tie(finding.where.line, finding.where.column, finding.kind, finding.where.endLine,
                      finding.where.endColumn, finding.other.line, finding.other.column, finding.object);
    };
    std::stable_sort(report_.findings.begin(), report_.findings.end(),
                     [&](const Finding& one, const Finding& two) { return order(one) < order(two); });
    std::vector<Finding> merged;
    for (Finding& finding : report_.findings) {
      if (!merged.empty() && order(merged.back()) == order(finding)) {
        merged.back().occurrences += finding.occurrences;
      } else {
        merged.push_back(std::move(finding));
      }
    }
    report_.findings = std::move(merged);
  }

  const Program& program_;
  Launch& launch_;
  const FaultOptions& options_;
  ConcurrentAccesses concurrent_;
  std::vector<Race> races_;
  FaultReport report_;
};

}  // namespace

FaultReport findFaults(const Program& program, Launch& launch, const FaultOptions& options) {
  return FaultFinder(program, launch, options).find();
}

}  // namespace haloscope::analysis
