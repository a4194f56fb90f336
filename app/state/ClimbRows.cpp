#include "state/ClimbRows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "figures/AccessShape.h"
#include "state/Choices.h"

namespace haloscope {

namespace {

using figures::RungCosts;
using measuring::RecordedLimit;

// A number that changes by less has not moved.
constexpr double kMoved = 1.05;

/// The points that a kernel computes from, as far as its header or its recognition tells.
struct ComputedPoints {
  std::size_t axes = 0;
  std::set<std::array<int, 3>> taps;  ///< empty: not known
  bool box = false;                   ///< all points of a box, as a filter's
  Computes::Border border = Computes::Border::Keeps;
};

ComputedPoints computedPoints(const KernelFile& file) {
  ComputedPoints points;
  for (const ArrayDeclaration& array : file.arrays) { points.axes = std::max(points.axes, array.shape.size()); }
  if (!file.computes) { return points; }
  points.border = file.computes->border;
  for (const std::array<int, 3>& tap : file.taps(file.defaults())) { points.taps.insert(tap); }
  std::size_t volume = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    int reach = 0;
    for (const std::array<int, 3>& tap : points.taps) { reach = std::max(reach, std::abs(tap.at(axis))); }
    volume *= static_cast<std::size_t>(2 * reach + 1);
  }
  points.box = points.taps.size() == volume;
  return points;
}

/// How well a ladder suits a kernel that stands on none; 0: not at all.
int suitability(const ComputedPoints& own, const ComputedPoints& ladder) {
  if (own.axes != ladder.axes) { return 0; }
  if (own.taps.empty()) { return 1; }
  return 1 + (own.taps == ladder.taps ? 8 : 0) + (own.box == ladder.box ? 4 : 0) +
         (own.border == ladder.border ? 2 : 0);
}

const Climb* ladderFor(const std::vector<Climb>& all, const KernelFile& file) {
  for (const Climb& climb : all) {
    if (climb.find(file.id) != nullptr) { return &climb; }
  }
  if (!file.isOpened()) { return nullptr; }
  const ComputedPoints own = computedPoints(file);
  const Climb* best = nullptr;
  std::pair<int, std::size_t> most{0, 0};  // of equally suitable ones the one with more rungs
  for (const Climb& climb : all) {
    const std::pair suits(suitability(own, computedPoints(*climb.rungs.front().variant)), climb.rungs.size());
    if (suits.first > 0 && suits > most) {
      most = suits;
      best = &climb;
    }
  }
  return best;
}

const RungCosts* costsOf(const AppState& state, const KernelFile& file) {
  const auto found = state.climb.costs.find(file.id);
  return found == state.climb.costs.end() || found->second->text != file.text ? nullptr : found->second.get();
}

/// The class of a suite in which most rungs were recorded.
std::string recordedKind(const Climb& climb, const std::vector<RecordedLimit>& recorded) {
  std::map<std::string, std::set<std::string>> rungs;
  std::string most;
  for (const RecordedLimit& one : recorded) {
    if (climb.find(one.id) == nullptr) { continue; }
    rungs[one.kind].insert(one.id);
    if (!rungs.contains(most) || rungs[one.kind].size() > rungs[most].size()) { most = one.kind; }
  }
  return most;
}

std::string sizesText(const std::map<std::string, std::string>& bindings) {
  std::vector<std::string> words;
  for (const auto& [name, value] : bindings) { words.push_back(name + " " + value); }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string sizesText(const KernelFile& file, const Bindings& bindings) {
  std::map<std::string, std::string> words;
  for (const auto& [name, value] : bindings) { words[name] = file.valueText(name, value); }
  return sizesText(words);
}

std::string withTime(std::string text, double milliseconds) {
  return milliseconds > 0 ? fmt::format("{} · {:.4g} ms", text, milliseconds) : text;
}

std::string numberText(ClimbCounter counter, const std::optional<double>& value) {
  if (!value) { return "–"; }
  if (counter == ClimbCounter::Registers) { return fmt::format("{:.0f}", *value); }
  if (counter == ClimbCounter::Occupancy) { return fmt::format("{:.0f} %", 100 * *value); }
  return *value >= 100 ? fmt::format("{:.0f}", *value) : fmt::format("{:.3g}", *value);
}

/// Makes the rows of one ladder.
class Ladder {
 public:
  /// `own`: the user's file that is compared with this ladder; null: none.
  Ladder(const AppState& state, const Climb& climb, const KernelFile* own)
      : state_(state), climb_(climb), own_(own), kind_(recordedKind(climb, state.climb.recorded)) {}

  [[nodiscard]] ClimbRows rows() {
    made_.name = climb_.name;
    for (const Climb::Rung& rung : climb_.rungs) { made_.rows.push_back(rowOf(*rung.variant)); }
    stand();
    for (std::size_t i = 0; i < made_.rows.size(); ++i) { compare(i); }
    addOwn();
    const auto chosen = std::ranges::find(made_.rows, true, &ClimbRow::chosen);
    if (chosen != made_.rows.end()) {
      made_.chosen = static_cast<std::size_t>(chosen - made_.rows.begin());
      if (!chosen->own) { made_.difference = {chosen->below ? made_.rows[*chosen->below].id : chosen->id, chosen->id}; }
    }
    return std::move(made_);
  }

 private:
  [[nodiscard]] ClimbRow rowOf(const KernelFile& file) {
    ClimbRow row;
    row.id = file.id;
    row.title = file.title;
    row.idea = file.idea;
    row.book = file.book;
    row.name = shownName(state_.catalogue, file.id);
    row.own = file.isOpened();
    row.chosen = state_.choice.kernel == file.id;
    row.bar = barOf(file);
    row.numbers.resize(kClimbCounters);
    const RungCosts* costs = costsOf(state_, file);
    row.counting = costs == nullptr;
    if (costs != nullptr) {
      row.problem = costs->problem;
      row.bindings = costs->bindings;
      if (costs->problem.empty()) { row.shape = figures::wordsOf(costs->shape); }
      if (costs->outputs > 0) { addCounts(row, file, *costs); }
    }
    addCode(row, file);
    for (std::size_t i = 0; i < kClimbCounters; ++i) {
      row.numbers[i].text = numberText(static_cast<ClimbCounter>(i), row.numbers[i].value);
    }
    return row;
  }

  /// What this machine's GPU did in this session; null: nothing with these tunables.
  [[nodiscard]] const measuring::HardwareReading* readingOf(const KernelFile& file) const {
    const RungCosts* costs = costsOf(state_, file);
    const auto* reading = costs == nullptr ? nullptr : state_.hardware.of(file, costs->bindings);
    return reading != nullptr && reading->milliseconds > 0 && reading->copyGBs > 0 ? reading : nullptr;
  }

  [[nodiscard]] std::optional<ClimbBar> barOf(const KernelFile& file) {
    if (const measuring::HardwareReading* reading = readingOf(file)) {
      const double bytes = figures::arrayBytes(file, *costsOf(state_, file), reading->bindings) *
                           static_cast<double>(file.steps(reading->bindings));
      made_.measuredOn = reading->gpu;
      return ClimbBar{bytes / (reading->milliseconds * 1e6) / reading->copyGBs, false, reading->gpu,
                      withTime(sizesText(file, reading->bindings), reading->milliseconds)};
    }
    const RecordedLimit* recorded = findRecorded(state_.climb.recorded, file.id, kind_);
    if (recorded == nullptr) { return {}; }
    made_.recordedOn = recorded->gpu;
    const std::string sizes = sizesText(recorded->bindings);
    return ClimbBar{recorded->fraction, true, recorded->gpu,
                    withTime(recorded->kind.empty() ? sizes : recorded->kind + ": " + sizes, recorded->milliseconds)};
  }

  static void set(ClimbRow& row, ClimbCounter counter, double value, std::string source, bool counted = true) {
    ClimbNumber& number = row.numbers[static_cast<std::size_t>(counter)];
    number.value = value;
    number.source = std::move(source);
    number.counted = counted;
  }

  void addCounts(ClimbRow& row, const KernelFile& file, const RungCosts& costs) const {
    const char* executed = "executed by the emulator";
    set(row, ClimbCounter::Sectors, costs.sectors, executed);
    set(row, ClimbCounter::GlobalBytes, costs.globalBytes, executed);
    set(row, ClimbCounter::SharedBytes, costs.sharedBytes, executed);
    const measuring::HardwareReading* reading = readingOf(file);
    if (reading != nullptr && costs.storedBytes > 0 && reading->storeBytes > 0) {
      const double points = static_cast<double>(reading->storeBytes) / costs.storedBytes;
      set(row, ClimbCounter::DramBytes, reading->counters.dramBytes() / points,
          "counted by the hardware of the " + reading->gpu);
    } else {
      set(row, ClimbCounter::DramBytes, costs.onceBytes, "by formula: every element moved once, the least possible",
          false);
    }
  }

  void addCode(ClimbRow& row, const KernelFile& file) const {
    const auto put = [&](double registers, double occupancy, const std::string& source) {
      set(row, ClimbCounter::Registers, registers, source);
      set(row, ClimbCounter::Occupancy, occupancy, source);
    };
    const auto code = state_.climb.code.find(file.id);
    if (code != state_.climb.code.end() && code->second.registers > 0) {
      put(code->second.registers, code->second.occupancy.share,
          "NVIDIA's compiler, for the " + state_.climb.target.name);
      return;
    }
    const RecordedLimit* recorded = findRecorded(state_.climb.recorded, file.id, kind_);
    if (recorded == nullptr || !recorded->registers || !recorded->occupancy) { return; }
    put(*recorded->registers, *recorded->occupancy, "as recorded on the " + recorded->gpu);
  }

  /// Which rung stands on which, and where the rail leads.
  void stand() {
    std::vector<ClimbRow>& rows = made_.rows;
    const auto indexOf = [&](const std::string& id) {
      return static_cast<std::size_t>(std::ranges::find(rows, id, &ClimbRow::id) - rows.begin());
    };
    std::map<std::string, std::string> last;  // the last branch of each fork
    for (const Climb::Rung& rung : climb_.rungs) {
      if (rung.height > 0) { last[rung.variant->extends] = rung.variant->id; }
    }
    for (const Climb::Rung& rung : climb_.rungs) {
      if (rung.height == 0) { continue; }
      ClimbRow& row = rows[indexOf(rung.variant->id)];
      row.below = indexOf(rung.variant->extends);
      row.column = rows[*row.below].column + (last[rung.variant->extends] == row.id ? 0 : 1);
    }
  }

  /// With the rung below.
  void compare(std::size_t index) {
    ClimbRow& row = made_.rows[index];
    if (!row.below) { return; }
    double most = std::log2(kMoved);
    for (std::size_t i = 0; i < kClimbCounters; ++i) {
      ClimbNumber& number = row.numbers[i];
      const ClimbNumber& before = made_.rows[*row.below].numbers[i];
      number.below = before.value;
      const auto ratio = number.ratio();
      const bool alike = number.counted && before.counted;  // a formula's number is not what the kernel moves
      if (!ratio || !alike || std::abs(std::log2(*ratio)) <= most) { continue; }
      most = std::abs(std::log2(*ratio));
      row.moved = static_cast<ClimbCounter>(i);
    }
  }

  /// The rung whose accesses are most like those of the own kernel. Nothing before all of them were executed.
  [[nodiscard]] std::optional<std::size_t> resembled(const RungCosts& own) const {
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t i = 0; i < climb_.rungs.size(); ++i) {
      const RungCosts* costs = costsOf(state_, *climb_.rungs[i].variant);
      if (costs == nullptr) { return {}; }
      if (costs->outputs <= 0) { continue; }
      const double apart = figures::distance(own.shape, costs->shape);
      if (best && apart >= least) { continue; }
      best = i;
      least = apart;
    }
    return best;
  }

  /// Of the rungs that extend this one, the one recorded as the fastest, else the last.
  [[nodiscard]] std::optional<std::size_t> nextOf(std::size_t rung) const {
    std::optional<std::size_t> next;
    const auto fraction = [&](std::size_t i) { return made_.rows[i].bar ? made_.rows[i].bar->fraction : 0.0; };
    for (std::size_t i = 0; i < made_.rows.size(); ++i) {
      if (made_.rows[i].below != rung) { continue; }
      if (!next || fraction(i) >= fraction(*next)) { next = i; }
    }
    return next;
  }

  /// Of the forks below a rung, from the nearest on: the first rung of a later branch.
  [[nodiscard]] std::optional<std::size_t> wayOn(std::size_t rung) const {
    for (auto fork = made_.rows[rung].below; fork; rung = *fork, fork = made_.rows[rung].below) {
      for (std::size_t i = rung + 1; i < made_.rows.size(); ++i) {
        if (made_.rows[i].below == *fork) { return i; }
      }
    }
    return {};
  }

  [[nodiscard]] std::string gainText(const ClimbRow& rung, const ClimbRow& next) const {
    if (!rung.bar || !next.bar || rung.bar->fraction <= 0) { return "What it gains was not recorded."; }
    const bool recorded = rung.bar->recorded || next.bar->recorded;
    if (rung.bar->gpu != next.bar->gpu) { return "What it gains was not measured on one GPU."; }
    return fmt::format("It is {:.2f} times as fast as {} on the {}: {:.2f} of the best copy instead of {:.2f}, {}.",
                       next.bar->fraction / rung.bar->fraction, rung.name, rung.bar->gpu, next.bar->fraction,
                       rung.bar->fraction, recorded ? "as recorded" : "measured in this session");
  }

  /// A row for the user's file, below the rung that it resembles.
  void addOwn() {
    if (own_ == nullptr) { return; }
    ClimbRow row = rowOf(*own_);
    const RungCosts* costs = costsOf(state_, *own_);
    if (costs == nullptr || costs->outputs <= 0) {
      made_.ownText = costs == nullptr         ? fmt::format("{} is being executed.", row.name)
                      : costs->problem.empty() ? fmt::format("{} stores no output.", row.name)
                                               : fmt::format("{} cannot be compared: {}", row.name, costs->problem);
      made_.rows.push_back(std::move(row));
      return;
    }
    const auto like = resembled(*costs);
    if (!like) {
      made_.ownText = fmt::format("{} is compared once all rungs are executed.", row.name);
      made_.rows.push_back(std::move(row));
      return;
    }
    const ClimbRow& rung = made_.rows[*like];
    const std::string shape = row.shape.empty() ? std::string("every operand of its one output is a load")
                                                : fmt::format("it {}", fmt::join(row.shape, ", "));
    made_.ownText = fmt::format("{} resembles {}: {}.", row.name, rung.name, shape);
    if (const auto next = nextOf(*like)) {
      const ClimbRow& above = made_.rows[*next];
      made_.ownText += fmt::format(" The next rung is {}: {} {}", above.name, above.idea, gainText(rung, above));
      if (row.chosen) { made_.difference = {rung.id, above.id}; }
    } else {
      const auto way = wayOn(*like);
      made_.ownText += !way ? std::string(" No rung is above it.")
                            : fmt::format(" This branch ends here; the next one begins with {}: {}",
                                          made_.rows[*way].name, made_.rows[*way].idea);
      if (row.chosen) { made_.difference = {rung.below ? made_.rows[*rung.below].id : rung.id, rung.id}; }
    }
    insertOwn(std::move(row), *like);
  }

  void insertOwn(ClimbRow row, std::size_t rung) {
    row.column = made_.rows[rung].column;
    row.below = rung;
    for (ClimbRow& other : made_.rows) {
      if (other.below && *other.below > rung) { ++*other.below; }
    }
    made_.rows.insert(made_.rows.begin() + static_cast<std::ptrdiff_t>(rung) + 1, std::move(row));
    compare(rung + 1);
  }

  const AppState& state_;
  const Climb& climb_;
  const KernelFile* own_;
  std::string kind_;
  ClimbRows made_;
};

void chooseNeighbourRung(AppState& state, int by) {
  const ClimbRows made = climbRows(state);
  const auto count = static_cast<std::ptrdiff_t>(made.rows.size());
  const std::ptrdiff_t next = made.chosen ? static_cast<std::ptrdiff_t>(*made.chosen) + by : 0;
  if (next >= 0 && next < count) { chooseRung(state, made.rows[static_cast<std::size_t>(next)].id); }
}

}  // namespace

const char* name(ClimbCounter counter) {
  constexpr std::array kNames = {"sectors", "L1 B", "shared B", "DRAM B", "regs", "occup."};
  return kNames.at(static_cast<std::size_t>(counter));
}

const char* meaning(ClimbCounter counter) {
  constexpr std::array kMeanings = {
      "sectors of 32 bytes that warps ask L1 for, loads and stores, a point",
      "bytes of global memory that threads ask L1 for, loads and stores, a point",
      "bytes of shared memory that threads load and store, a point",
      "bytes that DRAM moves, a point",
      "registers a thread",
      "resident warps of a multiprocessor, of the most it holds",
  };
  return kMeanings.at(static_cast<std::size_t>(counter));
}

std::optional<double> ClimbNumber::ratio() const {
  if (!value || !below || *value <= 0 || *below <= 0) { return {}; }
  return *value / *below;
}

const Climb* climbOf(const std::vector<Climb>& all, const AppState& state) {
  const KernelFile* file = chosenFile(state);
  return file == nullptr ? nullptr : ladderFor(all, *file);
}

ClimbRows climbRows(const AppState& state) {
  const std::vector<Climb> all = climbs(state.catalogue);
  const Climb* climb = climbOf(all, state);
  if (climb == nullptr) {
    ClimbRows none;
    const KernelFile* file = chosenFile(state);
    none.missing = file == nullptr    ? std::string("No variant is chosen.")
                   : file->isOpened() ? fmt::format("No ladder of the catalogue computes on as many axes as {}.",
                                                    shownName(state.catalogue, file->id))
                                      : fmt::format("{} stands on no ladder: its header names none.", file->id);
    return none;
  }
  const KernelFile* own = state.catalogue.find(state.climb.own);
  const bool here = own != nullptr && own->isOpened() && ladderFor(all, *own) == climb;
  return Ladder(state, *climb, here ? own : nullptr).rows();
}

void chooseRung(AppState& state, const std::string& id) {
  const KernelFile* file = state.catalogue.find(id);
  if (file != nullptr && state.choice.kernel != id) { state.choice = withKernel(state, *file); }
}

void chooseNextRung(AppState& state) { chooseNeighbourRung(state, 1); }
void choosePreviousRung(AppState& state) { chooseNeighbourRung(state, -1); }
void stepRung(AppState& state) { state.view.tabs.bringToFront(Tab::Block); }

}  // namespace haloscope
