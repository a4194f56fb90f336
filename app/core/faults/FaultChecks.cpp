#include "faults/FaultChecks.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/ConcurrentAccesses.h"
#include "analysis/Sharing.h"
#include "faults/Barriers.h"
#include "faults/Bounds.h"
#include "faults/ClusterAccesses.h"
#include "faults/CopiesInFlight.h"
#include "faults/FaultPropagation.h"
#include "faults/FindingGroups.h"
#include "faults/Initialisation.h"
#include "faults/LaneMasks.h"
#include "faults/Misalignment.h"
#include "faults/OutputCoverage.h"
#include "faults/ProxyFences.h"
#include "faults/Races.h"
#include "faults/RowBounds.h"
#include "faults/SignedOverflows.h"
#include "faults/Traps.h"
#include "provenance/DefiniteAssignment.h"
#include "provenance/Granules.h"
#include "provenance/UnwrittenReads.h"

namespace haloscope::faults {

using provenance::kMaxTags;

namespace {

constexpr std::int64_t kShadowBytesPerUse = 48;
constexpr std::int64_t kShadowBytesPerOrderedUse = 320;  // of a program with warp barriers or fences
/// Findings whose outputs are looked for; each kMaxTags of them take a run.
constexpr std::size_t kMaxFollowed = 8 * kMaxTags;

/// Warp instructions of a block within which nearly every kernel ends.
constexpr std::uint64_t kSmallBudget = 2'000'000;

/// A launch as it was before the kernel ran. Only the arrays that the kernel may write are kept.
class Untouched {
 public:
  Untouched(const Program& program, const Launch& launch) {
    const std::vector<bool> written = writtenObjects(program);
    for (ObjectId object = 0; object < written.size(); ++object) {
      if (written[object]) { arrays_.emplace_back(object, launch.arrays[object]); }
    }
  }

  void restore(Launch& launch) const {
    for (const auto& [object, array] : arrays_) { launch.arrays[object] = array; }
  }

 private:
  std::vector<std::pair<ObjectId, ArrayData>> arrays_;
};

/// The same launch once more, from its beginning. It borrows the arrays that the kernel only reads, and leaves the
/// others as the launch has left them.
class Again {
 public:
  Again(const Program& program, Launch& launch, const Untouched& untouched)
      : written_(writtenObjects(program)), of_(launch) {
    exchange();
    launch_ = launch;
    exchange();
    lend(launch, launch_);
    untouched.restore(launch_);
  }
  Again(const Again&) = delete;
  Again& operator=(const Again&) = delete;
  ~Again() { lend(launch_, of_); }

  [[nodiscard]] Launch& launch() { return launch_; }

 private:
  /// All bytes of the launch, aside and back: everything else is little, and copied.
  void exchange() {
    aside_.resize(of_.arrays.size());
    for (std::size_t i = 0; i < aside_.size(); ++i) { std::swap(aside_[i], of_.arrays[i].bytes); }
  }
  void lend(Launch& from, Launch& to) const {
    for (std::size_t i = 0; i < written_.size(); ++i) {
      if (!written_[i]) { to.arrays[i].bytes = std::move(from.arrays[i].bytes); }
    }
  }

  std::vector<bool> written_;
  Launch& of_;
  Launch launch_;
  std::vector<std::vector<std::byte>> aside_;
};

class FaultFinder {
 public:
  FaultFinder(const Program& program, Launch& launch, const FaultOptions& options)
      : program_(program),
        launch_(launch),
        options_(options),
        budget_(options.execute.instructionBudget),
        concurrent_(program),
        blocks_(options.blocks) {}

  FaultReport find() {
    const Untouched untouched(program_, launch_);
    // Every look at a long loop takes the whole budget, so find out first whether there is one.
    const std::uint64_t budget = std::exchange(budget_, budget_ == 0 ? kSmallBudget : std::min(budget_, kSmallBudget));
    FirstLook small(program_, launch_, options_);
    report_.result = run(launch_, small.observers(), blocks_);
    const bool cutShort = report_.result.outcome == simt::Outcome::LongLoop && budget_ != budget;
    budget_ = budget;
    if (cutShort && isKnownLater(untouched)) {
      untouched.restore(launch_);
      FirstLook whole(program_, launch_, options_);
      report_.result = run(launch_, whole.observers(), blocks_);
      goOn(whole, untouched);
    } else {
      goOn(small, untouched);
    }
    return std::move(report_);
  }

 private:
  struct FirstLook;

  /// Whether of a block that used up the small budget the whole one tells whether it ends.
  bool isKnownLater(const Untouched& untouched) {
    Again again(program_, launch_, untouched);
    simt::ExecuteResult later = run(again.launch(), {}, {report_.result.block});
    const bool known = later.outcome != simt::Outcome::LongLoop;
    if (!known) { report_.result.message = std::move(later.message); }
    return known;
  }

  void goOn(const FirstLook& look, const Untouched& untouched) {
    // How much of it ran depends on timing, so it is no basis for findings.
    if (report_.result.outcome == simt::Outcome::TooLong) { return; }
    const simt::Outcome outcome = report_.result.outcome;
    const bool together = synchronisesGrid(program_) && launch_.configuration.cooperative;  // all blocks, on one thread
    if (together) {
      conclude(look, untouched);
    } else if (outcome == simt::Outcome::Endless || outcome == simt::Outcome::LongLoop ||
               outcome == simt::Outcome::DivergentBarrier || outcome == simt::Outcome::GridBarrier ||
               outcome == simt::Outcome::ClusterBarrier || outcome == simt::Outcome::Trap) {
      // How many blocks beyond the failed one have run depends on timing: only those up to it are examined.
      const std::uint64_t last = report_.result.block;
      if (blocks_.empty()) {
        for (std::uint64_t block = 0; block <= last; ++block) { blocks_.push_back(block); }
      } else {
        std::erase_if(blocks_, [last](std::uint64_t block) { return block > last; });
      }
      untouched.restore(launch_);
      FirstLook again(program_, launch_, options_);
      report_.result = run(launch_, again.observers(), blocks_);
      conclude(again, untouched);
    } else {
      conclude(look, untouched);
    }
  }

  /// The analyses that hear of every block; all of them together keep a launch near its full speed.
  struct FirstLook {
    FirstLook(const Program& program, const Launch& launch, const FaultOptions& options)
        : sharedRaces(program, launch, true, {}),
          sharing(program, launch),
          bounds(program, launch),
          misalignment(program, launch),
          barriers(program, launch),
          traps(program, launch),
          unwritten(program, launch, options.undefined) {
      overflows.emplace(program, launch);
      if (!overflows->needed()) { overflows.reset(); }
      if (CopiesInFlight::needed(program)) { copies.emplace(program, launch); }
      if (ClusterAccesses::needed(program)) { cluster.emplace(program, launch); }
      if (ProxyFences::needed(program)) { proxies.emplace(program, launch); }
      if (LaneMasks::matters(program)) { masks.emplace(program, launch); }
      if (options.output != kNone) { coverage.emplace(program, launch, options.output, options.expected); }
    }

    std::vector<simt::Observer*> observers() {
      std::vector<simt::Observer*> all{&sharedRaces, &sharing, &bounds, &misalignment, &barriers, &traps, &unwritten};
      if (overflows) { all.push_back(&*overflows); }
      if (copies) { all.push_back(&*copies); }
      if (cluster) { all.push_back(&*cluster); }
      if (proxies) { all.push_back(&*proxies); }
      if (masks) { all.push_back(&*masks); }
      if (coverage) { all.push_back(&*coverage); }
      return all;
    }

    Races sharedRaces;
    analysis::Sharing sharing;
    Bounds bounds;
    Misalignment misalignment;
    Barriers barriers;
    Traps traps;
    provenance::UnwrittenReads unwritten;
    std::optional<SignedOverflows> overflows;  ///< where something may overflow
    std::optional<CopiesInFlight> copies;      ///< where there are asynchronous ones
    std::optional<ClusterAccesses> cluster;    ///< where blocks access each other's shared memory
    std::optional<ProxyFences> proxies;        ///< where there are bulk ones
    std::optional<LaneMasks> masks;            ///< where calls have masks of lanes
    std::optional<OutputCoverage> coverage;
  };

  void conclude(const FirstLook& look, const Untouched& untouched) {
    races_ = look.sharedRaces.races();
    lookCloserAtGlobalArrays(look.sharing, untouched);
    settleRaces(untouched);
    places_ = look.bounds.places();
    std::vector<Finding> faults;
    for (const Race& race : races_) { faults.push_back(race.finding); }
    for (const Bounds::Place& place : places_) { faults.push_back(look.bounds.findingOf(place)); }
    for (Finding& finding : leftRows(untouched)) { faults.push_back(std::move(finding)); }
    const std::vector<std::vector<std::size_t>> groups = FindingGroups(program_).of(faults);
    for (const auto& group : groups) { report_.findings.push_back(FindingGroups::merged(faults, group)); }
    followFaults(groups, untouched);
    followUnwritten(look.unwritten, untouched);
    for (Finding& finding : look.misalignment.findings()) { report_.findings.push_back(std::move(finding)); }
    if (look.copies) { addTooEarlyUses(*look.copies); }
    if (look.proxies) {
      for (Finding& finding : FindingGroups(program_).merged(look.proxies->findings())) {
        report_.findings.push_back(std::move(finding));
      }
    }
    if (look.overflows) {
      for (Finding& finding : look.overflows->findings()) { report_.findings.push_back(std::move(finding)); }
    }
    if (look.cluster) {
      addCauses(look.cluster->findings(), [](const Finding& cause, const Finding& /*read*/) {
        return cause.kind == FindingKind::RaceCluster;  // the block that races writes what is read here
      });
    }
    if (look.masks) {
      // A lane that takes no part in a shuffle gives nothing.
      addCauses(look.masks->findings(),
                [](const Finding& /*cause*/, const Finding& read) { return read.object == kNone; });
    }
    for (Finding& finding : look.barriers.findings()) { report_.findings.push_back(std::move(finding)); }
    if (auto stopped = stoppedFinding(report_.result, launch_)) { report_.findings.push_back(std::move(*stopped)); }
    if (auto trap = look.traps.finding()) { report_.findings.push_back(std::move(*trap)); }
    // After a run that was cut short, unwritten elements prove nothing.
    if (look.coverage && report_.result.outcome == simt::Outcome::Finished) {
      if (auto missing = look.coverage->finding()) { report_.findings.push_back(std::move(*missing)); }
    }
    sortByPlace();
  }

  /// Those that are not known as races between the same two places: a copy arrives in the interval of the use.
  void addTooEarlyUses(const CopiesInFlight& copies) {
    std::vector<Finding> found = copies.findings();
    std::erase_if(found, [&](const Finding& use) {
      return std::ranges::any_of(races_, [&](const Race& race) {
        const Finding& known = race.finding;
        return (known.where == use.other && known.other == use.where) ||
               (known.where == use.where && known.other == use.other);
      });
    });
    for (Finding& finding : FindingGroups(program_).merged(found)) { report_.findings.push_back(std::move(finding)); }
  }

  /// Adds findings that explain an uninitialised value which is read at their place: what becomes of that belongs to
  /// the same mistake.
  template <class Explains>
  void addCauses(std::vector<Finding> causes, const Explains& explains) {
    for (Finding& cause : causes) {
      const auto isSame = [&](const Finding& one) {
        return one.kind == FindingKind::Uninitialized && one.where == cause.where && explains(cause, one);
      };
      if (const auto same = std::ranges::find_if(report_.findings, isSame); same != report_.findings.end()) {
        cause.outputs = std::move(same->outputs);
        cause.outputCount = same->outputCount;
        cause.reached = std::move(same->reached);
        report_.findings.erase(same);
      }
      report_.findings.push_back(std::move(cause));
    }
  }

  void lookCloserAtGlobalArrays(const analysis::Sharing& sharing, const Untouched& untouched) {
    std::vector<std::int64_t> next(program_.objects.size(), 0);  // -1: the rest of the array is not shared
    for (std::vector<Races::Window> windows; !(windows = nextWindows(sharing, next)).empty();) {
      Again again(program_, launch_, untouched);
      Races races(program_, again.launch(), false, std::move(windows));
      if (run(again.launch(), {&races}, blocks_).outcome == simt::Outcome::Stopped) { return; }
      for (Race& race : races.races()) { addGlobal(std::move(race)); }
    }
  }

  /// What a race between blocks leaves in memory depends on their order: here always on that of their numbers.
  void settleRaces(const Untouched& untouched) {
    const bool between =
        std::ranges::any_of(races_, [](const Race& race) { return race.finding.kind == FindingKind::RaceGlobal; });
    if (!between || report_.result.outcome != simt::Outcome::Finished) { return; }
    untouched.restore(launch_);
    simt::ExecuteOptions execute = options_.execute;
    execute.onlyBlocks = blocks_;
    execute.instructionBudget = budget_;
    execute.workers = 1;
    report_.result = simt::execute(program_, launch_, {}, execute);
  }

  /// Of each global array that threads share, the next part for which there is room; `next` is where it may begin.
  [[nodiscard]] std::vector<Races::Window> nextWindows(const analysis::Sharing& sharing,
                                                       std::vector<std::int64_t>& next) const {
    const provenance::Granules granules(program_, launch_);
    const std::int64_t perUse =
        LaneClocks::matters(program_) || BarrierOrder::matters(program_) || ordersBlocks(program_)
            ? kShadowBytesPerOrderedUse
            : kShadowBytesPerUse;
    std::vector<Races::Window> windows;
    for (ObjectId object = 0; object < program_.objects.size(); ++object) {
      if (next[object] < 0) { continue; }
      const std::int64_t first = next[object] = sharing.firstShared(object, next[object]);
      if (first < 0) { continue; }
      const auto slots = static_cast<std::int64_t>(concurrent_.slots(object));
      const std::int64_t room = std::max<std::int64_t>(1, options_.shadowBytes / perUse / slots);
      windows.push_back({object, first, std::min(granules.count(object) - first, room)});
      next[object] = first + windows.back().count;
    }
    return windows;
  }

  /// A race on several parts of an array is one.
  void addGlobal(Race race) {
    const auto known = std::ranges::find_if(races_, [&](const Race& one) {
      return one.finding.object == race.finding.object && one.writer == race.writer && one.other == race.other;
    });
    if (known == races_.end()) {
      races_.push_back(std::move(race));
      return;
    }
    known->finding.occurrences += race.finding.occurrences;
    std::ranges::move(race.elements, std::back_inserter(known->elements));
  }

  std::vector<Finding> leftRows(const Untouched& untouched) const {
    if (!RowBounds(program_, launch_).needed()) { return {}; }
    Again again(program_, launch_, untouched);
    RowBounds rows(program_, again.launch());
    run(again.launch(), {&rows}, blocks_);
    return rows.findings();
  }

  /// Fills in the outputs of the findings so far, one for each group of what lies in races_ and then places_; what
  /// comes after those reads what is there, and is not followed.
  void followFaults(const std::vector<std::vector<std::size_t>>& groups, const Untouched& untouched) {
    const std::size_t followed = std::min(groups.size(), kMaxFollowed);
    for (std::size_t begin = 0; begin < followed; begin += kMaxTags) {
      const std::size_t end = std::min(followed, begin + kMaxTags);
      FaultPropagation::Faults faults;
      for (std::size_t at = begin; at < end; ++at) {
        for (const std::size_t member : groups[at]) {
          const auto tag = static_cast<std::uint32_t>(at - begin);
          if (member < races_.size()) {
            faults.races.push_back(&races_[member]);
            faults.raceTags.push_back(tag);
          } else if (member < races_.size() + places_.size()) {
            faults.places.push_back(&places_[member - races_.size()]);
            faults.placeTags.push_back(tag);
          }
        }
      }
      Again again(program_, launch_, untouched);
      FaultPropagation reach(program_, again.launch(), faults);
      run(again.launch(), {&reach}, blocksOf(faults));
      for (std::size_t at = begin; at < end; ++at) {
        listOutputs(reach, provenance::Tags{1} << (at - begin), report_.findings[at]);
      }
    }
  }

  void followUnwritten(const provenance::UnwrittenReads& unwritten, const Untouched& untouched) {
    Initialisation::Suspects suspects{
        options_.undefined, unwritten.loads(), {}, provenance::possiblyUnassigned(program_), {}};
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      if (program_.code[at].op == Opcode::Shuffle) { suspects.shuffles.push_back(at); }
    }
    if (suspects.loads.empty() && suspects.variables.empty() && suspects.shuffles.empty()) { return; }
    for (const Race& race : races_) { suspects.races.push_back(&race); }
    // Which blocks leave a variable or a lane without a value only the full analysis can find, so it covers all of
    // them. So it does where blocks read what others have written.
    const bool everywhere = !suspects.variables.empty() || !suspects.shuffles.empty() || ordersBlocks(program_);
    const std::vector<std::uint64_t> blocks = everywhere ? blocks_ : unwritten.blocks();
    Again again(program_, launch_, untouched);
    Initialisation initialisation(program_, again.launch(), std::move(suspects));
    run(again.launch(), {&initialisation}, blocks);
    for (Finding& finding : initialisation.findings()) { report_.findings.push_back(std::move(finding)); }
  }

  /// The blocks in which the faults take place, ascending; empty: the whole grid.
  [[nodiscard]] std::vector<std::uint64_t> blocksOf(const FaultPropagation::Faults& faults) const {
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
    execute.instructionBudget = budget_;
    return simt::execute(program_, launch, observers, execute);
  }

  void sortByPlace() {
    std::ranges::stable_sort(report_.findings, [](const Finding& one, const Finding& two) {
      const auto order = [](const Finding& finding) {
        return std::tie(finding.where.line, finding.kind, finding.where.column, finding.where.endLine,
                        finding.where.endColumn, finding.other.line, finding.other.column, finding.object);
      };
      return order(one) < order(two);
    });
  }

  const Program& program_;
  Launch& launch_;
  const FaultOptions& options_;
  std::uint64_t budget_;  ///< warp instructions of a block, see simt::ExecuteOptions
  analysis::ConcurrentAccesses concurrent_;
  std::vector<std::uint64_t> blocks_;  ///< that are looked at; empty: the whole grid
  std::vector<Race> races_;
  std::vector<Bounds::Place> places_;
  FaultReport report_;
};

}  // namespace

FaultReport findFaults(const Program& program, Launch& launch, const FaultOptions& options) {
  return FaultFinder(program, launch, options).find();
}

}  // namespace haloscope::faults
