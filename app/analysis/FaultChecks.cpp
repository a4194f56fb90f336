#include "analysis/FaultChecks.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/Barriers.h"
#include "analysis/Bounds.h"
#include "analysis/ConcurrentAccesses.h"
#include "analysis/DefiniteAssignment.h"
#include "analysis/Granules.h"
#include "analysis/Initialisation.h"
#include "analysis/OutputCoverage.h"
#include "analysis/Races.h"
#include "analysis/Reach.h"
#include "analysis/Sharing.h"
#include "analysis/UnwrittenReads.h"

namespace haloscope::analysis {
namespace {

/// Shadow that a closer look at global arrays may take, over all workers.
constexpr std::int64_t kShadowBytes = std::int64_t{1} << 30;
constexpr std::int64_t kShadowBytesPerUse = 48;
/// Findings whose outputs are looked for; each kMaxTags of them take a run.
constexpr std::size_t kMaxFollowed = 8 * kMaxTags;

/// A launch as it was before the kernel ran. Only the arrays that the kernel may write are kept.
class Untouched {
 public:
  Untouched(const Program& program, const Launch& launch) : launch_(launch) {
    std::vector<bool> written(program.objects.size(), false);
    for (const Instruction& instruction : program.code) {
      if (instruction.op != Opcode::Store && instruction.op != Opcode::AtomicAdd) { continue; }
      if (instruction.aux == kNone) { written.assign(written.size(), true); }
      if (instruction.aux != kNone) { written[instruction.aux] = true; }
    }
    for (ObjectId object = 0; object < written.size(); ++object) {
      if (written[object]) { arrays_.emplace_back(object, launch.arrays[object]); }
    }
  }

  [[nodiscard]] Launch copy() const {
    Launch launch = launch_;
    for (const auto& [object, array] : arrays_) { launch.arrays[object] = array; }
    return launch;
  }

 private:
  const Launch& launch_;
  std::vector<std::pair<ObjectId, ArrayData>> arrays_;
};

class FaultFinder {
 public:
  FaultFinder(const Program& program, Launch& launch, const FaultOptions& options)
      : program_(program), launch_(launch), options_(options), concurrent_(program) {}

  FaultReport find() {
    const Untouched untouched(program_, launch_);
    FirstLook look(program_, launch_, options_);
    report_.result = run(launch_, look.observers(), {});
    // What chance let run of it is no basis for findings.
    if (report_.result.outcome == simt::Outcome::TooLong) { return std::move(report_); }
    if (report_.result.outcome == simt::Outcome::Endless || report_.result.outcome == simt::Outcome::DivergentBarrier) {
      // How many blocks beyond the one that failed have run is left to chance: look at those up to it, and at no other.
      for (std::uint64_t block = 0; block <= report_.result.block; ++block) { blocks_.push_back(block); }
      launch_ = untouched.copy();
      FirstLook again(program_, launch_, options_);
      report_.result = run(launch_, again.observers(), blocks_);
      conclude(again, untouched);
    } else {
      conclude(look, untouched);
    }
    return std::move(report_);
  }

 private:
  /// The analyses that hear of every block; all of them together keep a launch near its full speed.
  struct FirstLook {
    FirstLook(const Program& program, const Launch& launch, const FaultOptions& options)
        : sharedRaces(program, launch, true, {}),
          sharing(program, launch),
          bounds(program, launch),
          barriers(program, launch),
          unwritten(program, launch, options.undefined) {
      if (options.output != kNone) { coverage.emplace(program, launch, options.output, options.expected); }
    }

    std::vector<simt::Observer*> observers() {
      std::vector<simt::Observer*> all{&sharedRaces, &sharing, &bounds, &barriers, &unwritten};
      if (coverage) { all.push_back(&*coverage); }
      return all;
    }

    Races sharedRaces;
    Sharing sharing;
    Bounds bounds;
    Barriers barriers;
    UnwrittenReads unwritten;
    std::optional<OutputCoverage> coverage;
  };

  void conclude(const FirstLook& look, const Untouched& untouched) {
    races_ = look.sharedRaces.races();
    lookCloserAtGlobalArrays(look.sharing, untouched);
    places_ = look.bounds.places();
    for (const Race& race : races_) { report_.findings.push_back(race.finding); }
    for (const Bounds::Place& place : places_) { report_.findings.push_back(look.bounds.findingOf(place)); }
    followFaults(untouched);
    followUnwritten(look.unwritten, untouched);
    for (Finding& finding : look.barriers.findings()) { report_.findings.push_back(std::move(finding)); }
    if (auto endless = endlessFinding(report_.result, launch_)) { report_.findings.push_back(std::move(*endless)); }
    // What a run that was cut short did not write says nothing.
    if (look.coverage && report_.result.outcome == simt::Outcome::Finished) {
      if (auto missing = look.coverage->finding()) { report_.findings.push_back(std::move(*missing)); }
    }
    tidy();
  }

  void lookCloserAtGlobalArrays(const Sharing& sharing, const Untouched& untouched) {
    const Granules granules(program_, launch_);
    std::vector<Races::Window> windows;
    for (ObjectId object = 0; object < program_.objects.size(); ++object) {
      const std::int64_t first = sharing.firstShared(object);
      if (first < 0) { continue; }
      const auto slots = static_cast<std::int64_t>(concurrent_.instructions(object).size());
      const std::int64_t room = std::max<std::int64_t>(1, kShadowBytes / kShadowBytesPerUse / slots);
      windows.push_back({object, first, std::min(granules.count(object) - first, room)});
    }
    if (windows.empty()) { return; }
    Launch again = untouched.copy();
    Races races(program_, again, false, std::move(windows));
    run(again, {&races}, blocks_);
    for (Race& race : races.races()) { races_.push_back(std::move(race)); }
  }

  /// Fills in the outputs of the findings so far, which are those of races_ and places_ in their order.
  void followFaults(const Untouched& untouched) {
    const std::size_t followed = std::min(report_.findings.size(), kMaxFollowed);
    for (std::size_t begin = 0; begin < followed; begin += kMaxTags) {
      const std::size_t end = std::min(followed, begin + kMaxTags);
      Reach::Faults faults;
      for (std::size_t at = begin; at < end; ++at) {
        if (at < races_.size()) {
          faults.races.push_back(&races_[at]);
        } else {
          faults.places.push_back(&places_[at - races_.size()]);
        }
      }
      Launch again = untouched.copy();
      Reach reach(program_, again, faults);
      run(again, {&reach}, blocksOf(faults));
      for (std::size_t at = begin; at < end; ++at) { reach.listOutputs(at - begin, report_.findings[at]); }
    }
  }

  void followUnwritten(const UnwrittenReads& unwritten, const Untouched& untouched) {
    Initialisation::Suspects suspects{options_.undefined, unwritten.loads(), possiblyUnassigned(program_), {}};
    if (suspects.loads.empty() && suspects.variables.empty()) { return; }
    for (const Race& race : races_) { suspects.races.push_back(&race); }
    // Which blocks leave a variable without a value only a closer look can tell, so it looks at all of them.
    const std::vector<std::uint64_t> blocks = suspects.variables.empty() ? unwritten.blocks() : blocks_;
    Launch again = untouched.copy();
    Initialisation initialisation(program_, again, std::move(suspects));
    run(again, {&initialisation}, blocks);
    for (Finding& finding : initialisation.findings()) { report_.findings.push_back(std::move(finding)); }
  }

  /// The blocks in which the faults take place, ascending; empty: the whole grid.
  [[nodiscard]] std::vector<std::uint64_t> blocksOf(const Reach::Faults& faults) const {
    std::vector<std::uint64_t> blocks;
    for (const Race* race : faults.races) {
      for (const RacingElements& elements : race->elements) {
        if (elements.interval == RacingElements::kAnyInterval) { return blocks_; }
        blocks.push_back(elements.block);
      }
    }
    for (const Bounds::Place* place : faults.places) {
      blocks.insert(blocks.end(), place->blocks.begin(), place->blocks.end());
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return blocks;
  }

  simt::ExecuteResult run(Launch& launch, const std::vector<simt::Observer*>& observers,
                          std::vector<std::uint64_t> blocks) const {
    simt::ExecuteOptions execute = options_.execute;
    execute.onlyBlocks = std::move(blocks);
    return simt::execute(program_, launch, observers, execute);
  }

  /// One finding for each pair of places: an inlined function has its instructions several times.
  void tidy() {
    const auto order = [](const Finding& finding) {
      return std::tie(finding.where.line, finding.kind, finding.where.column, finding.where.endLine,
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
  std::vector<std::uint64_t> blocks_;  ///< that are looked at; empty: the whole grid
  std::vector<Race> races_;
  std::vector<Bounds::Place> places_;
  FaultReport report_;
};

}  // namespace

FaultReport findFaults(const Program& program, Launch& launch, const FaultOptions& options) {
  return FaultFinder(program, launch, options).find();
}

}  // namespace haloscope::analysis
