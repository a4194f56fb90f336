#include "running/LaunchExecution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "faults/FaultChecks.h"
#include "faults/NumberChecks.h"
#include "faults/Traps.h"
#include "language/Text.h"
#include "machine/Execution.h"

namespace haloscope::running {

namespace {

/// The most blocks of a launch that are chosen one by one.
constexpr std::uint64_t kMaxChosenBlocks = 100'000;

/// The arrays that a launch may write, to be put back.
class Before {
 public:
  Before(const Program& program, Launch& launch) : launch_(launch) {
    const std::vector<bool> written = writtenObjects(program);
    for (ObjectId object = 0; object < written.size(); ++object) {
      if (written[object]) { arrays_.emplace_back(object, launch.arrays[object].bytes); }
    }
  }
  void restore() {
    for (const auto& [object, bytes] : arrays_) { std::ranges::copy(bytes, launch_.arrays[object].bytes.begin()); }
  }

 private:
  Launch& launch_;
  std::vector<std::pair<ObjectId, std::vector<std::byte>>> arrays_;
};

/// Copies of the arrays that a kernel writes which exist at once: two for the checks, and one where what some blocks do
/// is undone.
constexpr std::uint64_t kCopiesToCheck = 2, kCopiesToUndo = 1;

std::uint64_t warpInstructions(const simt::Profile& profile) {
  std::uint64_t sum = 0;
  for (const std::uint64_t warps : profile.warps) { sum += warps; }
  return sum;
}

class Execution {
 public:
  Execution(BoundLaunch& bound, const LaunchBudget& budget)
      : bound_(bound),
        program_(*bound.program),
        launch_(bound.launch),
        budget_(budget),
        grid_(launch_.configuration.grid.count()) {}

  LaunchOutcome run() {
    if (writtenBytes() > budget_.bytes / kCopiesToCheck) {
      outcome_.tooLarge = true;
      executeAtOnce();
      return std::move(outcome_);
    }
    if (synchronisesGrid(program_) && launch_.configuration.cooperative) {
      runTogether(tr("meet at grid.sync()"));
      return std::move(outcome_);
    }
    const std::uint64_t perBlock = sample();
    if (perBlock >= kSampleBudget && mayWaitForBlocks()) {
      runTogether(tr("may wait for one another"));
      return std::move(outcome_);
    }
    outcome_.instructions = grid_ > kMaxInstructions / perBlock ? kMaxInstructions : perBlock * grid_;
    std::uint64_t affordable = budget_.instructions / std::max<std::uint64_t>(1, perBlock);
    std::uint64_t checkable = std::min(budget_.checked / std::max<std::uint64_t>(1, perBlock), affordable);
    const bool undoes = checkable > 0 && checkable < grid_;
    if (undoes && writtenBytes() > budget_.bytes / (kCopiesToCheck + kCopiesToUndo)) {
      outcome_.tooLarge = true;
      checkable = 0;
    }
    if (budget_.wholeOnly && affordable < grid_) { affordable = checkable; }
    if (checkable >= grid_) {
      check({});
    } else {
      if (checkable > 0) {
        Before before(program_, launch_);
        check(representativeBlocks(launch_.configuration.grid, checkable));
        before.restore();
      }
      if (outcome_.problem.empty()) { executePlainly(affordable); }
    }
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] std::uint64_t writtenBytes() const {
    const std::vector<bool> written = writtenObjects(program_);
    std::uint64_t bytes = 0;
    for (ObjectId object = 0; object < written.size(); ++object) {
      if (written[object]) { bytes += launch_.arrays[object].bytes.size(); }
    }
    return bytes;
  }

  /// Without a copy of anything: what it takes is only known afterwards.
  void executeAtOnce() {
    simt::ExecuteOptions options = plain();
    options.launchBudget = budget_.instructions;
    finishPlainly(options, grid_);
    const std::uint64_t perBlock = std::max<std::uint64_t>(1, executed_ / outcome_.blocks);
    outcome_.instructions = grid_ > kMaxInstructions / perBlock ? kMaxInstructions : perBlock * grid_;
  }

  /// Blocks that meet at barriers of the grid, or wait for what others tell them: all of them or none.
  void runTogether(const char* why) {
    Before before(program_, launch_);
    simt::ExecuteOptions options = plain();
    options.launchBudget = budget_.instructions;
    const simt::ExecuteResult result = simt::execute(program_, launch_, {}, options);
    outcome_.instructions = warpInstructions(result.profile);
    if (result.outcome == simt::Outcome::TooLong) {
      before.restore();
      outcome_.problem = trf("{}, and blocks that {} must all run", result.message, why);
      return;
    }
    before.restore();
    if (outcome_.instructions <= budget_.checked) {
      check({});
    } else {
      executePlainly(grid_);
    }
  }

  /// Whether a block alone may wait for ever for another one.
  [[nodiscard]] bool mayWaitForBlocks() const {
    return std::ranges::any_of(program_.code,
                               [](const Instruction& one) { return one.isVolatile || isAtomic(one.op); });
  }

  /// Warp instructions of a block in the middle of the grid. Leaves the arrays as they were.
  std::uint64_t sample() {
    Before before(program_, launch_);
    simt::ExecuteOptions options = plain();
    options.onlyBlocks = {grid_ / 2};
    options.launchBudget = kSampleBudget;
    const simt::ExecuteResult result = simt::execute(program_, launch_, {}, options);
    before.restore();
    return std::max<std::uint64_t>(1, warpInstructions(result.profile) / std::max<std::uint64_t>(1, result.blocks));
  }

  [[nodiscard]] simt::ExecuteOptions plain() const {
    simt::ExecuteOptions options;
    options.workers = budget_.workers;
    options.stop = budget_.stop;
    return options;
  }

  void check(std::vector<std::uint64_t> blocks) {
    faults::FaultOptions options;
    options.execute = plain();
    options.blocks = std::move(blocks);
    for (const auto& [object, allocation] : bound_.allocations) {
      if (auto words = unwrittenWords(launch_.arrays[object].bytes)) {
        options.undefined.emplace_back(object, std::move(words));
      }
    }
    const std::uint64_t count = options.blocks.empty() ? grid_ : options.blocks.size();
    const std::vector<faults::Finding> numbers = numbersOfFetches(options.blocks);
    faults::FaultReport report = faults::findFaults(program_, launch_, options);
    outcome_.findings = std::move(report.findings);
    outcome_.findings.insert(outcome_.findings.end(), numbers.begin(), numbers.end());
    outcome_.checked = true;
    outcome_.checkedBlocks = count;
    finish(report.result, count);
  }

  /// What is wrong with the arithmetic of a kernel that uses textures: it is executed here alone, where they are.
  std::vector<faults::Finding> numbersOfFetches(const std::vector<std::uint64_t>& blocks) {
    const bool fetches =
        std::ranges::any_of(program_.code, [](const Instruction& one) { return one.fetch == FetchPart::Begin; });
    faults::NumberChecks numbers(program_);
    const std::vector<simt::Observer*> observers = numbers.observers();
    if (!fetches || observers.empty()) { return {}; }
    Before before(program_, launch_);
    simt::ExecuteOptions options = plain();
    options.onlyBlocks = blocks;
    options.launchBudget = budget_.checked;
    static_cast<void>(simt::execute(program_, launch_, observers, options));
    before.restore();
    return numbers.findings();
  }

  void executePlainly(std::uint64_t affordable) {
    simt::ExecuteOptions options = plain();
    if (affordable < grid_) {
      options.onlyBlocks = representativeBlocks(launch_.configuration.grid, std::max<std::uint64_t>(1, affordable));
    }
    finishPlainly(options, options.onlyBlocks.empty() ? grid_ : options.onlyBlocks.size());
  }

  void finishPlainly(const simt::ExecuteOptions& options, std::uint64_t count) {
    faults::Traps traps(program_, launch_);
    const bool mayTrap = std::ranges::find(program_.code, Opcode::Trap, &Instruction::op) != program_.code.end();
    const simt::ExecuteResult result =
        mayTrap ? simt::execute(program_, launch_, std::array<simt::Observer*, 1>{&traps}, options)
                : machine::execute(program_, launch_, options, {}, /*profiled=*/true);
    finish(result, count);
    if (auto trap = traps.finding()) { outcome_.findings.push_back(std::move(*trap)); }
    // Without the checks' observers an access outside its array is counted all the same. What ends the program may be
    // in a block that was not checked.
    const auto known = [&](const faults::Finding& one) {
      return one.kind == faults::FindingKind::OutOfBounds && (one.illegalAddress || result.unmapped == 0);
    };
    if (result.outOfBounds > 0 && std::ranges::none_of(outcome_.findings, known)) {
      faults::Finding finding;
      finding.kind = faults::FindingKind::OutOfBounds;
      finding.where = result.firstOutOfBounds;
      finding.message = result.firstOutOfBoundsMessage;
      finding.illegalAddress = result.unmapped > 0;
      finding.occurrences = finding.illegalAddress ? result.unmapped : result.outOfBounds;
      if (finding.illegalAddress) { finding.message += tr(faults::kEndsProgram); }
      outcome_.findings.push_back(std::move(finding));
    }
  }

  void finish(const simt::ExecuteResult& result, std::uint64_t blocks) {
    executed_ = warpInstructions(result.profile);
    if (result.outcome == simt::Outcome::TooLong && grid_ > 1) {
      blocks = std::clamp<std::uint64_t>(result.blocks, 1, grid_ - 1);
    } else if (result.outcome != simt::Outcome::Finished) {
      outcome_.problem = result.message;
    }
    outcome_.blocks = blocks;
    outcome_.loaded.assign(program_.objects.size(), false);
    outcome_.flops = outcome_.globalBytes = outcome_.textureRequests = 0;
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instruction& instruction = program_.code[i];
      const std::uint64_t lanes = result.profile.lanes.at(i);
      outcome_.flops += lanes * static_cast<std::uint64_t>(floatingOperations(instruction));
      if (readsMemory(instruction.op) && lanes > 0 && instruction.aux != kNone) {
        outcome_.loaded[instruction.aux] = true;
      }
      if (instruction.fetch == FetchPart::Begin) { outcome_.textureRequests += result.profile.warps.at(i); }
      const bool global = isAccess(instruction.op) && instruction.fetch == FetchPart::None &&
                          (instruction.aux == kNone || program_.objects[instruction.aux].space == MemorySpace::Global);
      if (global) { outcome_.globalBytes += lanes * static_cast<std::uint64_t>(sizeInMemory(instruction.type)); }
    }
    if (blocks < grid_) {
      outcome_.flops = outcome_.flops / blocks * grid_;
      outcome_.globalBytes = outcome_.globalBytes / blocks * grid_;
      outcome_.textureRequests = outcome_.textureRequests / blocks * grid_;
    }
  }

  static constexpr std::uint64_t kMaxInstructions = std::uint64_t{1} << 62;
  /// A block that takes more is endless, or as good as that.
  static constexpr std::uint64_t kSampleBudget = 20'000'000;

  BoundLaunch& bound_;
  const Program& program_;
  Launch& launch_;
  const LaunchBudget& budget_;
  std::uint64_t grid_;
  std::uint64_t executed_ = 0;  ///< warp instructions, by the last execution
  LaunchOutcome outcome_;
};

}  // namespace

std::vector<std::uint64_t> representativeBlocks(const Dim3& grid, std::uint64_t count) {
  const auto places = [](std::uint32_t extent) {
    return std::set<std::uint32_t>{0, std::min(1U, extent - 1), extent / 2, extent - std::min(2U, extent), extent - 1};
  };
  count = std::min(count, kMaxChosenBlocks);
  std::set<std::uint64_t> chosen;
  // Outermost first: by the number of axes on which a block is at an end.
  for (int ends = 3; ends >= 0; --ends) {
    for (const std::uint32_t z : places(grid.z)) {
      for (const std::uint32_t y : places(grid.y)) {
        for (const std::uint32_t x : places(grid.x)) {
          const int atEnds = (x == 0 || x + 1 == grid.x) + (y == 0 || y + 1 == grid.y) + (z == 0 || z + 1 == grid.z);
          if (atEnds == ends && chosen.size() < count) { chosen.insert(linear({x, y, z}, grid)); }
        }
      }
    }
  }
  for (std::uint64_t block = 0; block < grid.count() && chosen.size() < count; ++block) { chosen.insert(block); }
  return {chosen.begin(), chosen.end()};
}

std::uint64_t mostCheckedBytes(std::uint64_t copied) { return copied / kCopiesToCheck; }

LaunchOutcome execute(BoundLaunch& bound, const LaunchBudget& budget) { return Execution(bound, budget).run(); }

}  // namespace haloscope::running
