#include "running/SmallerRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "language/Text.h"
#include "running/Conductor.h"
#include "running/LaunchExecution.h"
#include "running/OfferedSizes.h"

namespace haloscope::running {

namespace {

using faults::Finding;
using faults::FindingKind;

/// Threads of a launch that show all there is to see: 256², 48³.
constexpr double kThreads = 65536;
/// The longest side of what is known before a first launch.
constexpr std::int64_t kSide = 256, kLine = 65536;
constexpr std::int64_t kSteps = 20;
/// Once that has passed, no other sizes are tried.
constexpr int kTimesPatience = 2;

/// How much smaller an attempt is.
struct Attempt {
  std::int64_t points = 1;  ///< each size is divided by this
  bool fewSteps = false;
};

class Smaller {
 public:
  Smaller(const host::HostProgram& program, const RunOptions& options) : program_(program), options_(options) {}

  ProgramRun run() {
    sizes_ = offeredSizes(program_, options_.arguments);
    survey_ = runAsItIs(program_, options_, !sizes_.empty());
    if (survey_.excess == Excess::None || survey_.end == ProgramEnd::Stopped) { return std::move(survey_); }
    if (survey_.excess == Excess::DeviceMemory) { dropWhatLacksMemory(); }
    readLaunches();
    const auto began = std::chrono::steady_clock::now();
    for (const Attempt& attempt : attempts()) {
      if (std::chrono::steady_clock::now() - began > kTimesPatience * options_.budget.patience) { break; }
      const std::vector<ChangedSize> changes = changesOf(attempt);
      const bool tried = std::ranges::find(tried_, changes) != tried_.end();
      if (changes.empty() || tried) { continue; }
      tried_.push_back(changes);
      RunOptions options = options_;
      options.arguments = withSizes(options_.arguments, changes);
      ProgramRun smaller = runAsItIs(withSizes(program_, changes), options, true);
      if (smaller.end == ProgramEnd::Stopped) { break; }
      if (isUsable(smaller)) { return merged(std::move(smaller), changes); }
    }
    survey_.sizesText = withoutSmaller();
    return std::move(survey_);
  }

 private:
  /// An array for which there was no memory here has some on a GPU: what went wrong without it is no fault.
  void dropWhatLacksMemory() {
    for (ProgramLaunch& launch : survey_.launches) {
      launch.findings.clear();
      launch.checked = false;
    }
    std::erase_if(survey_.findings, [](const HostFinding& one) { return rowOf(one.kind).fault; });
  }
  /// What the launches at the program's own sizes say of these.
  void readLaunches() {
    std::set<std::string> scalars;
    std::uint64_t most = 0;
    for (const ProgramLaunch& launch : survey_.launches) {
      const Dim3& grid = launch.configuration.grid;
      const Dim3& block = launch.configuration.block;
      for (const std::uint32_t side : {block.x, block.y, block.z}) { blockSides_.insert(side); }
      blockSides_.insert(static_cast<std::int64_t>(block.count()));
      for (const auto& [name, value] : launch.scalars) { scalars.insert(value); }
      if (grid.count() * block.count() <= most) { continue; }
      most = grid.count() * block.count();
      axes_ = std::max(1, (grid.x > 1 ? 1 : 0) + (grid.y > 1 ? 1 : 0) + (grid.z > 1 ? 1 : 0));
    }
    threads_ = static_cast<double>(most);
    std::erase_if(sizes_, [&](const OfferedSize& one) { return !one.repeats && blockSides_.contains(one.value); });
    // A number that no kernel is given counts something else; from that alone an argument's purpose is guessed.
    for (OfferedSize& one : sizes_) {
      if (one.name.empty() && !scalars.empty()) { one.repeats = !scalars.contains(std::to_string(one.value)); }
    }
  }

  [[nodiscard]] std::string withoutSmaller() const {
    if (survey_.excess == Excess::HostTime) { return sizes_.empty() ? "" : tr("Nor does it with smaller sizes."); }
    if (survey_.excess == Excess::CheckMemory) {
      return trf("Not every launch was checked: one can write {:.3g} GB at most for that.", checkedGigabytes());
    }
    if (survey_.excess == Excess::DeviceMemory) {
      return trf("It asks for more memory than the {:.3g} GB that a program can use here{}", deviceGigabytes(),
                 sizes_.empty() ? tr(", and offers no smaller size: no argument of main(), macro or constant is one.")
                                : tr(", and does not run to its end with a smaller size."));
    }
    return sizes_.empty()
               ? tr("It is too large to be executed whole, and offers no smaller size: no argument of main(), "
                    "macro or constant is one.")
               : tr("It is too large to be executed whole, and does not run to its end with a smaller size.");
  }

  [[nodiscard]] double deviceGigabytes() const { return static_cast<double>(options_.budget.deviceBytes) * 1e-9; }
  [[nodiscard]] double checkedGigabytes() const {
    return static_cast<double>(mostCheckedBytes(options_.budget.besideBytes / 2)) * 1e-9;
  }

  [[nodiscard]] std::vector<Attempt> attempts() const {
    std::int64_t points = 1;
    if (threads_ > 0) {
      const double tooLarge = std::pow(std::max(1.0, threads_ / kThreads), 1.0 / axes_);
      while (static_cast<double>(points) < tooLarge) { points *= 2; }
    } else {
      for (const OfferedSize& one : sizes_) {
        if (one.repeats) { continue; }
        const std::int64_t wanted = one.value > kLine * 4 ? kLine : kSide;
        while (one.value / points > wanted) { points *= 2; }
      }
    }
    if (survey_.excess != Excess::Kernels) { points = std::max<std::int64_t>(points, 2); }
    return {{points, false}, {points, true}, {std::max<std::int64_t>(1, points / 4), true}, {points * 4, true}};
  }

  /// What the blocks leave over at the border is to stay the same.
  [[nodiscard]] std::int64_t smallerValue(std::int64_t value, std::int64_t by) const {
    constexpr std::int64_t kWarp = 32, kMostPeriod = 1024;
    std::int64_t period = kWarp;
    for (const std::int64_t side : blockSides_) {
      if (const std::int64_t common = std::lcm(period, side); common <= kMostPeriod) { period = common; }
    }
    while (period > kWarp && period * 2 > std::max(value / by, 2 * kWarp)) { period /= 2; }
    const std::int64_t rest = value % period;
    const std::int64_t wanted = std::max<std::int64_t>(value / by, 2 * kWarp);
    return std::max<std::int64_t>(1, wanted / period) * period + rest;
  }

  [[nodiscard]] std::vector<ChangedSize> changesOf(const Attempt& attempt) const {
    std::vector<ChangedSize> changes;
    for (const OfferedSize& one : sizes_) {
      // With the same parity: two arrays that change places end as before.
      const std::int64_t value = !one.repeats       ? smallerValue(one.value, attempt.points)
                                 : attempt.fewSteps ? kSteps + one.value % 4
                                                    : one.value;
      if (value < one.value && (one.repeats || attempt.points > 1)) { changes.push_back({one, value}); }
    }
    return changes;
  }

  static bool isFromSizes(const Finding& one) {
    return one.kind == FindingKind::OutOfBounds || one.kind == FindingKind::Misaligned ||
           one.kind == FindingKind::DivisionByZero;
  }
  static bool hasFinding(const ProgramRun& run, const std::string& file, const Finding& wanted) {
    return std::ranges::any_of(run.launches, [&](const ProgramLaunch& launch) {
      return launch.file == file && std::ranges::any_of(launch.findings, [&](const Finding& one) {
               return one.kind == wanted.kind && one.where.line == wanted.where.line;
             });
    });
  }
  static bool hasFinding(const ProgramRun& run, const HostFinding& wanted) {
    return std::ranges::any_of(run.findings,
                               [&](const HostFinding& one) { return one.kind == wanted.kind && one.at == wanted.at; });
  }

  /// Whether it came to its end, and shows nothing that is only because sizes which depend on others stayed as they
  /// are: faults which the program does not have at its own sizes.
  [[nodiscard]] bool isUsable(const ProgramRun& smaller) const {
    if (smaller.end != ProgramEnd::Exited || smaller.excess != Excess::None || smaller.launches.empty()) {
      return false;
    }
    std::set<std::string> before, now;
    for (const ProgramLaunch& launch : survey_.launches) {
      if (launch.checked) { before.insert(launch.symbol); }
    }
    for (const ProgramLaunch& launch : smaller.launches) {
      now.insert(launch.symbol);
      for (const Finding& one : launch.findings) {
        if (before.contains(launch.symbol) && isFromSizes(one) && !hasFinding(survey_, launch.file, one)) {
          return false;
        }
      }
    }
    const auto isNew = [&](const HostFinding& one) {
      const bool fromSizes = one.kind == HostFindingKind::CopySize || one.kind == HostFindingKind::LaunchLimit;
      return fromSizes && !hasFinding(survey_, one);
    };
    return std::ranges::includes(now, before) && std::ranges::none_of(smaller.findings, isNew);
  }

  ProgramRun merged(ProgramRun smaller, const std::vector<ChangedSize>& changes) {
    const std::string own = ownValues(changes);
    for (ProgramLaunch& launch : survey_.launches) {
      for (Finding& one : launch.findings) {
        if (hasFinding(smaller, launch.file, one)) { continue; }
        const auto same = std::ranges::find(smaller.launches, launch.symbol, &ProgramLaunch::symbol);
        ProgramLaunch& to = same == smaller.launches.end() ? smaller.launches.front() : *same;
        one.message += trf(" (with {})", own);
        to.findings.push_back(std::move(one));
      }
    }
    for (HostFinding& one : survey_.findings) {
      if (!rowOf(one.kind).fault || hasFinding(smaller, one)) { continue; }
      one.message += trf(" (With {}.)", own);
      smaller.findings.push_back(std::move(one));
    }
    smaller.sizesText = sentence(smaller, changes);
    smaller.ownFacts = survey_.facts();
    smaller.compileSeconds += survey_.compileSeconds;
    smaller.hostSeconds += survey_.hostSeconds;
    smaller.kernelSeconds += survey_.kernelSeconds;
    smaller.sizes = changes;
    return smaller;
  }

  [[nodiscard]] std::string sentence(const ProgramRun& smaller, const std::vector<ChangedSize>& changes) const {
    std::string text;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const auto& [size, value] = changes[i];
      std::string name = nameOf(size);
      if (i == 0 && size.name.empty()) { name[0] = name[0] == 't' ? 'T' : 'A'; }
      text += i == 0 ? "" : i + 1 == changes.size() ? tr(" and ") : ", ";
      text += trf("{} is {}{} instead of {}", name, value, i == 0 ? tr(" here") : "", size.value);
      if (size.at.line > 0) {
        const bool elsewhere = program_.files.size() > 1 || size.at.file != program_.files.front().name;
        text += elsewhere ? fmt::format(" ({}:{})", size.at.file, size.at.line) : trf(" (line {})", size.at.line);
      }
    }
    const bool one = changes.size() == 1;
    const std::string what = one ? std::to_string(changes[0].size.value) : "they";
    text += tr(", because ");
    switch (survey_.excess) {
      case Excess::HostTime:
        text += trf("with {} the host code takes more than {:g} s", one ? what : tr("them"),
                    std::chrono::duration<double>(options_.budget.patience).count());
        break;
      case Excess::DeviceMemory:
        text += trf("with {} it needs more than the {:.3g} GB of memory that a program can use here",
                    one ? what : tr("them"), deviceGigabytes());
        break;
      case Excess::CheckMemory:
        text += trf("with {} a launch writes more than the {:.3g} GB that can be checked", one ? what : tr("them"),
                    checkedGigabytes());
        break;
      default:
        text += trf("{} take{} {}", what, one ? "s" : "", durationOf(smaller, changes));
    }
    const std::string checked = surveyed();
    return text + (checked.empty() ? "." : ". " + checked);
  }

  /// What all launches would take on the emulator at the program's own sizes.
  [[nodiscard]] std::string durationOf(const ProgramRun& smaller, const std::vector<ChangedSize>& changes) const {
    double instructions = 0, seconds = 0;
    std::map<std::string, double> ofKernel;
    for (const ProgramLaunch& launch : survey_.launches) {
      if (!launch.executed) { continue; }
      const auto all = static_cast<double>(launch.instructions);
      ofKernel.try_emplace(launch.symbol, all);
      const std::uint64_t blocks = std::max<std::uint64_t>(1, launch.configuration.grid.count());
      instructions += all * static_cast<double>(launch.blocks) / static_cast<double>(blocks);
      seconds += launch.seconds;
    }
    double repeated = 1;
    for (const auto& [size, value] : changes) {
      if (size.repeats) { repeated *= static_cast<double>(size.value) / static_cast<double>(value); }
    }
    double whole = 0;
    for (const ProgramLaunch& launch : smaller.launches) {
      const auto known = ofKernel.find(launch.symbol);
      whole += known == ofKernel.end() ? static_cast<double>(launch.instructions) : known->second;
    }
    const double time = instructions > 0 ? whole * repeated * seconds / instructions : 0;
    constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
    if (time < 2 * kMinute) { return trf("about {:.0f} s here", std::max(1.0, time)); }
    if (time < 2 * kHour) { return trf("about {:.0f} min here", time / kMinute); }
    if (time < 2 * kDay) { return trf("about {:.0f} h here", time / kHour); }
    return trf("about {:.0f} days here", time / kDay);
  }

  /// What was checked with the program's own sizes; empty: nothing is to be checked.
  [[nodiscard]] std::string surveyed() const {
    std::size_t kernels = 0;
    std::set<std::string> seen;
    for (const ProgramLaunch& launch : survey_.launches) {
      if (launch.checked && seen.insert(launch.symbol).second) { ++kernels; }
    }
    if (kernels == 0) {
      return survey_.launches.empty() ? tr("No kernel was launched with the program's own sizes.") : std::string();
    }
    return trn("With the program's own sizes, the first launches of {} kernel were checked, too.",
               "With the program's own sizes, the first launches of {} kernels were checked, too.",
               static_cast<std::uint64_t>(kernels), kernels);
  }

  const host::HostProgram& program_;
  const RunOptions& options_;
  std::vector<OfferedSize> sizes_;
  ProgramRun survey_;
  int axes_ = 1;
  double threads_ = 0;                 ///< of the largest launch
  std::set<std::int64_t> blockSides_;  ///< and the numbers of threads of blocks
  std::vector<std::vector<ChangedSize>> tried_;
};

}  // namespace

ProgramRun runAtFittingSizes(const host::HostProgram& program, const RunOptions& options) {
  return Smaller(program, options).run();
}

}  // namespace haloscope::running
