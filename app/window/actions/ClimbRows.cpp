#include "actions/ClimbRows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "actions/Choices.h"
#include "actions/ClimbChoice.h"
#include "checking/ShippedVariants.h"
#include "figures/AccessShape.h"
#include "language/Text.h"

namespace haloscope {

namespace {

using figures::RungCosts;
using measuring::RecordedLimit;

// A number that changes by less has not moved.
constexpr double kMoved = 1.05;
// An own kernel that moves less in a launch runs from the caches.
constexpr double kLeastBytes = 256e6;
// Several time steps in a launch are more of a difference than any way of access.
constexpr double kOtherSteps = 2;

const RungCosts* costsOf(const AppState& state, const KernelFile& file) {
  const auto found = state.climb.costs.find(file.id);
  return found == state.climb.costs.end() || found->second->text != file.text ? nullptr : found->second.get();
}

/// The class of a suite in which most rungs were recorded; of several the first.
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

/// "BLOCK 64 × 1 × 4, PLANES 8".
std::string tileText(const KernelFile& file, const Bindings& tunables) {
  std::string text, before;
  for (const auto& [name, value] : tunables) {
    const std::string stem = name.substr(0, name.find_last_of('_'));
    const bool first = name.ends_with("_X"), next = name.ends_with("_Y") || name.ends_with("_Z");
    const std::string number = file.valueText(name, value);
    if (next && stem == before) {
      text += " × " + number;
      continue;
    }
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", first ? stem : name, number);
    before = first ? stem : std::string();
  }
  return text;
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

std::string countedText(const char* how, const std::string& gpu) {
  return trf("counted by the hardware, {}", (how + gpu));
}

/// Makes the rows of one climb.
class RowMaker {
 public:
  /// `own`: the user's file that is compared with this climb; null: none.
  RowMaker(const AppState& state, const Climb& climb, const KernelFile* own)
      : state_(state), climb_(climb), own_(own) {}

  [[nodiscard]] ClimbRows rows() {
    made_.name = climb_.name;
    made_.kind = shownClass(state_, climb_);
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
    row.own = file.isOwn();
    row.chosen = state_.choice.kernel == file.id;
    row.bar = barOf(file);
    row.numbers.resize(kClimbCounters);
    const RungCosts* costs = costsOf(state_, file);
    row.counting = costs == nullptr;
    if (costs != nullptr) {
      row.problem = costs->problem;
      row.bindings = costs->bindings;
      row.executedAt = sizesText(file, costs->bindings);
      if (costs->problem.empty()) { row.shape = figures::wordsOf(costs->shape); }
      if (costs->outputs > 0) { addCounts(row, file, *costs); }
    }
    addCode(row, file);
    writeNumbers(row);
    return row;
  }

  static void writeNumbers(ClimbRow& row) {
    for (std::size_t i = 0; i < kClimbCounters; ++i) {
      row.numbers[i].text = numberText(static_cast<ClimbCounter>(i), row.numbers[i].value);
    }
  }

  /// What this machine's GPU did since the start; null: nothing with these tunables.
  [[nodiscard]] const measuring::HardwareReading* readingOf(const KernelFile& file) const {
    const RungCosts* costs = costsOf(state_, file);
    return costs == nullptr ? nullptr : state_.hardware.of(file, costs->bindings);
  }

  [[nodiscard]] std::optional<ClimbBar> barOf(const KernelFile& file) {
    if (file.isOwn()) { return ownBar(file); }
    const RecordedLimit* limit = limitOf(state_, climb_, file);
    if (limit == nullptr) { return {}; }
    const bool recorded = limit->text.empty();
    (recorded ? made_.recordedOn : made_.measuredOn) = limit->gpu;
    const std::string sizes = sizesText(limit->bindings);
    return ClimbBar{.fraction = limit->fraction,
                    .recorded = recorded,
                    .gpu = limit->gpu,
                    .problem = limit->problem.empty() ? limit->kind : limit->problem,
                    .of = withTime(limit->kind.empty() ? sizes : limit->kind + ": " + sizes, limit->milliseconds),
                    .tile = limit->tileSource,
                    .tunables = tileText(file, limit->tunablesOf(file))};
  }

  /// At the sizes of its own launch, unless these are too small for a time that means something.
  [[nodiscard]] std::optional<ClimbBar> ownBar(const KernelFile& file) {
    const measuring::HardwareReading* reading = readingOf(file);
    if (reading == nullptr || reading->milliseconds <= 0 || reading->copyGBs <= 0) { return {}; }
    const double bytes = costsOf(state_, file)->effectiveBytes;
    if (bytes < kLeastBytes) { return {}; }
    made_.measuredOn = reading->gpu;
    return ClimbBar{.fraction = bytes / (reading->milliseconds * 1e6) / reading->copyGBs,
                    .recorded = false,
                    .gpu = reading->gpu,
                    .problem = {},
                    .of = withTime(sizesText(file, reading->bindings), reading->milliseconds),
                    .tile = {},
                    .tunables = {}};
  }

  static void set(ClimbRow& row, ClimbCounter counter, double value, std::string source, bool counted = true) {
    ClimbNumber& number = row.numbers[static_cast<std::size_t>(counter)];
    number.value = value;
    number.source = std::move(source);
    number.counted = counted;
  }

  void addCounts(ClimbRow& row, const KernelFile& file, const RungCosts& costs) const {
    const char* executed = tr("executed by the emulator");
    set(row, ClimbCounter::Sectors, costs.sectors, executed);
    set(row, ClimbCounter::GlobalBytes, costs.globalBytes, executed);
    set(row, ClimbCounter::SharedBytes, costs.sharedBytes, executed);
    const RecordedLimit* limit = file.isOwn() ? nullptr : limitOf(state_, climb_, file);
    if (limit != nullptr && limit->dramBytes) {
      const std::string source =
          countedText(limit->text.empty() ? tr("as recorded on the ") : tr("on the "), limit->gpu);
      set(row, ClimbCounter::DramBytes, *limit->dramBytes, source);
      addStalls(row, limit->stalls, source);
      return;
    }
    const measuring::HardwareReading* reading = readingOf(file);
    if (reading == nullptr || costs.storedBytes <= 0 || reading->storeBytes == 0) {
      set(row, ClimbCounter::DramBytes, costs.onceBytes, tr("by formula: every element moved once, the least possible"),
          false);
      return;
    }
    const double points = static_cast<double>(reading->storeBytes) / costs.storedBytes;
    const std::string source = countedText(tr("on the "), reading->gpu);
    set(row, ClimbCounter::DramBytes, reading->counters.dramBytes() / points, source);
    addStalls(row, reading->counters.stalls, source);
  }

  static void addStalls(ClimbRow& row, const std::vector<hardware::Stall>& stalls, const std::string& source) {
    if (stalls.empty()) { return; }
    constexpr std::size_t kNamed = 3;
    double sum = 0;
    std::vector<std::string> words;
    for (const hardware::Stall& stall : stalls) {
      sum += stall.cycles;
      if (words.size() < kNamed) { words.push_back(trf("{:.3g} for {}", stall.cycles, tr(stall.reason))); }
    }
    set(row, ClimbCounter::Stalls, sum, fmt::format("{}: {}", source, fmt::join(words, ", ")));
  }

  void addCode(ClimbRow& row, const KernelFile& file) const {
    const auto put = [&](double registers, double occupancy, const std::string& source) {
      set(row, ClimbCounter::Registers, registers, source);
      set(row, ClimbCounter::Occupancy, occupancy, source);
    };
    const auto code = state_.climb.code.find(file.id);
    if (code != state_.climb.code.end() && code->second.text == file.text && code->second.report.registers > 0) {
      const figures::CodeReport& report = code->second.report;
      put(report.registers, report.occupancy.share, trf("NVIDIA's compiler, for the {}", state_.climb.target.name));
      return;
    }
    const RecordedLimit* limit = limitOf(state_, climb_, file);
    if (limit == nullptr || !limit->registers || !limit->occupancy) { return; }
    put(*limit->registers, *limit->occupancy,
        (limit->text.empty() ? tr("as recorded on the ") : tr("measured on the ")) + limit->gpu);
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
      double apart = figures::distance(own.shape, costs->shape);
      if ((own.steps > 1) != (costs->steps > 1)) { apart += kOtherSteps; }
      if (best && apart >= least) { continue; }
      best = i;
      least = apart;
    }
    return best;
  }

  /// Whether some rungs read their coefficients from constant memory and others do not.
  [[nodiscard]] bool coefficientsDiffer() const {
    std::set<bool> ways;
    for (const Climb::Rung& rung : climb_.rungs) {
      if (const RungCosts* costs = costsOf(state_, *rung.variant)) { ways.insert(costs->shape.constants); }
    }
    return ways.size() > 1;
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

  /// How many times as fast a rung is as another one, where both were measured alike: on one GPU, in one session or as
  /// recorded, for one problem.
  static std::optional<double> gain(const ClimbRow& from, const ClimbRow& to) {
    if (!from.bar || !to.bar || from.bar->fraction <= 0) { return {}; }
    const bool alike = from.bar->gpu == to.bar->gpu && from.bar->recorded == to.bar->recorded &&
                       !from.bar->problem.empty() && from.bar->problem == to.bar->problem;
    return alike ? std::optional(to.bar->fraction / from.bar->fraction) : std::nullopt;
  }

  [[nodiscard]] static std::string gainText(const ClimbRow& rung, const ClimbRow& next) {
    const auto times = gain(rung, next);
    if (!times) { return tr("What it gains was not measured."); }
    const std::string fractions = trf("{:.2f} of the best copy instead of {:.2f}, {}", next.bar->fraction,
                                      rung.bar->fraction, rung.bar->recorded ? tr("as recorded") : tr("measured here"));
    if (*times < kMoved) {
      return trf("On its own it gains nothing over {} on the {}: {}.", rung.name, rung.bar->gpu, fractions);
    }
    return trf("It is {:.2f} times as fast as {} on the {}: {}.", *times, rung.name, rung.bar->gpu, fractions);
  }

  /// " The fastest rung is …" where that is neither the rung itself nor the next one.
  [[nodiscard]] std::string fastestText(std::size_t rung, const std::optional<std::size_t>& next) const {
    std::optional<std::size_t> best;
    double most = kMoved;
    for (std::size_t i = 0; i < made_.rows.size(); ++i) {
      const auto times = gain(made_.rows[rung], made_.rows[i]);
      if (!times || *times <= most) { continue; }
      most = *times;
      best = i;
    }
    if (!best || best == next) { return {}; }
    return trf(" The fastest rung is {}: {:.2f} times as fast as {}.", made_.rows[*best].name, most,
               made_.rows[rung].name);
  }

  /// A row for the user's file, below the rung that it resembles.
  void addOwn() {
    if (own_ == nullptr) { return; }
    ClimbRow row = rowOf(*own_);
    const RungCosts* costs = costsOf(state_, *own_);
    RungCosts ofSteps;
    if (costs != nullptr && costs->outputs > 0) {
      ofSteps = figures::withSteps(*costs, stepsOf(climb_, *costs));
      addCounts(row, *own_, ofSteps);
      row.shape = figures::wordsOf(ofSteps.shape, coefficientsDiffer());
      if (ofSteps.steps > 1) { row.shape.push_back(trf("computes {} time steps at once", ofSteps.steps)); }
      writeNumbers(row);
    }
    if (costs == nullptr || costs->outputs <= 0) {
      made_.ownText = costs == nullptr         ? trf("{} is being executed.", row.name)
                      : costs->problem.empty() ? trf("{} stores no output.", row.name)
                                               : trf("{} cannot be compared: {}", row.name, costs->problem);
      made_.rows.push_back(std::move(row));
      return;
    }
    const auto like = resembled(ofSteps);
    if (!like) {
      made_.ownText = trf("{} is compared once all rungs are executed.", row.name);
      made_.rows.push_back(std::move(row));
      return;
    }
    const ClimbRow& rung = made_.rows[*like];
    const std::string shape = row.shape.empty() ? std::string(tr("every operand of its one output is a load"))
                                                : trf("it {}", fmt::join(row.shape, ", "));
    made_.ownText = trf("{} resembles {}: {}.", row.name, rung.name, shape);
    if (const auto next = nextOf(*like)) {
      const ClimbRow& above = made_.rows[*next];
      made_.ownText +=
          trf(" The next rung is {}: {} {}{}", above.name, above.idea, gainText(rung, above), fastestText(*like, next));
      if (row.chosen) { made_.difference = {rung.id, above.id}; }
    } else {
      const auto way = wayOn(*like);
      made_.ownText += !way ? std::string(tr(" No rung is above it."))
                            : trf(" This branch ends here; the next one begins with {}: {}{}", made_.rows[*way].name,
                                  made_.rows[*way].idea, fastestText(*like, way));
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
  constexpr std::array kNames = {trMark("sectors"), "L1 B",           trMark("shared B"), "DRAM B",
                                 trMark("regs"),    trMark("occup."), trMark("stall")};
  return tr(kNames.at(static_cast<std::size_t>(counter)));
}

const char* meaning(ClimbCounter counter) {
  constexpr std::array kMeanings = {
      trMark("sectors of 32 bytes that warps ask L1 for, loads and stores, a point"),
      trMark("bytes of global memory that threads ask L1 for, loads and stores, a point"),
      trMark("bytes of shared memory that threads load and store, a point"),
      trMark("bytes that DRAM moves, a point"),
      trMark("registers per thread"),
      trMark("resident warps of a multiprocessor, of the most it holds"),
      trMark("cycles that a warp waits between two of its instructions, counted by the hardware"),
  };
  return tr(kMeanings.at(static_cast<std::size_t>(counter)));
}

std::optional<double> ClimbNumber::ratio() const {
  if (!value || !below || *value <= 0 || *below <= 0) { return {}; }
  return *value / *below;
}

std::string shownClass(const AppState& state, const Climb& climb) {
  const std::string measured = recordedKind(climb, state.climb.measured);
  return measured.empty() ? recordedKind(climb, state.climb.recorded) : measured;
}

const RecordedLimit* limitOf(const AppState& state, const Climb& climb, const KernelFile& rung) {
  const std::string kind = shownClass(state, climb);
  const RecordedLimit* measured = findRecorded(state.climb.measured, rung.id, kind);
  if (measured != nullptr && measured->text == rung.text) { return measured; }
  return checking::isShippedVariant(rung) ? findRecorded(state.climb.recorded, rung.id, kind) : nullptr;
}

Bindings rungBindings(const AppState& state, const Climb& climb, const KernelFile& rung) {
  const RecordedLimit* limit = limitOf(state, climb, rung);
  return figures::rungBindings(climb, rung, limit == nullptr ? Bindings{} : limit->tunablesOf(rung));
}

ClimbRows climbRows(const AppState& state) {
  const std::vector<Climb> all = climbs(state.catalogue);
  const Climb* climb = climbOf(all, state);
  if (climb == nullptr) {
    ClimbRows none;
    const KernelFile* file = chosenFile(state);
    none.missing = file == nullptr ? std::string(tr("No variant is chosen."))
                   : file->isOwn() ? trf("No climb of the catalogue computes on as many axes as {}.",
                                         shownName(state.catalogue, file->id))
                                   : trf("{} is part of no climb.", file->id);
    for (const Climb& one : all) { none.offers.push_back({one.name, one.rungs.front().variant->id}); }
    return none;
  }
  const KernelFile* own = state.catalogue.find(state.climb.own);
  const bool here = own != nullptr && own->isOwn() && climbOf(all, state, *own) == climb;
  return RowMaker(state, *climb, here ? own : nullptr).rows();
}

void chooseRung(AppState& state, const std::string& id) {
  const KernelFile* file = state.catalogue.find(id);
  if (file != nullptr && state.choice.kernel != id) { state.choice = withKernel(state, *file); }
}

void chooseNextRung(AppState& state) { chooseNeighbourRung(state, 1); }
void choosePreviousRung(AppState& state) { chooseNeighbourRung(state, -1); }
void stepRung(AppState& state) { state.view.tabs.bringToFront(Tab::Block); }

}  // namespace haloscope
