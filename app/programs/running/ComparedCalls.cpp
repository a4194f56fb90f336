#include "running/ComparedCalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "running/HostFindings.h"
#include "running/LaunchDescription.h"

namespace haloscope::running {

namespace {

constexpr std::size_t kMostCalls = 64;
constexpr std::size_t kMostCompared = 32;
/// Of the comparison of kernels with one another.
constexpr std::chrono::seconds kLongestLook{2};

}  // namespace

std::optional<ExecutedKernel> ComparedCalls::begin(std::size_t index, const BoundLaunch& bound) {
  std::size_t bytes = 0;
  for (const auto& [object, allocation] : bound.allocations) { bytes += 2 * bound.launch.arrays[object].bytes.size(); }
  if (!wanted_ || executed_.size() >= kMostCompared || keptBytes_ + bytes > mostBytes_) { return std::nullopt; }
  keptBytes_ += bytes;
  return ExecutedKernel{.launch = index, .before = keptOf(bound)};
}

void ComparedCalls::finish(std::optional<ExecutedKernel> compared, const ProgramLaunch& launch,
                           const BoundLaunch& bound) {
  const std::vector<bool> written = writtenObjects(*bound.program);
  for (const auto& [object, allocation] : bound.allocations) {
    if (!written[object]) { continue; }
    lastWriter_[allocation] = launch.symbol;
    if (compared) { compared->after[object] = bound.launch.arrays[object].bytes; }
  }
  if (compared) { executed_.push_back(std::move(*compared)); }
}

void ComparedCalls::copiedBack(AllocationId from, DeviceRows rows) {
  const auto writer = lastWriter_.find(from);
  if (!wanted_ || writer == lastWriter_.end()) { return; }
  // Of each kernel the last rows.
  std::vector<std::byte>& kept = copied_[writer->second];
  keptBytes_ -= std::exchange(kept, {}).size();
  if (keptBytes_ + rows.bytes() > mostBytes_) { return; }
  keptBytes_ += rows.bytes();
  kept = bytesOf(std::move(rows));
}

bool ComparedCalls::takes(std::uint64_t bytes) const {
  if (!wanted_) { throw InputError(tr("the host process sent a call that was not asked for")); }
  return calls_.size() < kMostCalls && keptBytes_ + bytes <= mostBytes_;
}

OwnCall& ComparedCalls::returned(const host::FunctionCall& message, std::vector<std::vector<std::byte>> before,
                                 std::vector<std::vector<std::byte>> after) {
  calls_.push_back(ownCallOf(message, std::move(before), std::move(after)));
  for (const auto* const blocks : {&calls_.back().before, &calls_.back().after}) {
    for (const std::vector<std::byte>& block : *blocks) { keptBytes_ += block.size(); }
  }
  return calls_.back();
}

/// The program has left the results of a call as they were, or has gone on with them.
void ComparedCalls::findUnchanged(const std::vector<std::uint64_t>& unchanged) {
  for (const std::uint64_t one : unchanged) {
    if (one < calls_.size()) { calls_[one].unchanged = true; }
  }
  for (std::size_t i = 0; i + 1 < calls_.size(); ++i) {
    OwnCall& call = calls_[i];
    const std::vector<std::vector<std::byte>>& next = calls_[i + 1].before;
    bool all = true;
    for (std::size_t block = 0; block < call.after.size(); ++block) {
      const bool written = call.after[block] != call.before[block];
      all = all && (!written || std::ranges::find(next, call.after[block]) != next.end());
    }
    call.unchanged = call.unchanged || (all && calls_[i + 1].function.at == call.function.at);
  }
}

std::optional<OwnFunctions::Request> ComparedCalls::ended(const std::vector<ProgramLaunch>& launches,
                                                          const std::vector<std::uint64_t>& unchanged) {
  if (!wanted_ || functions_) { throw InputError(tr("the host process ended its program twice")); }
  for (ExecutedKernel& one : executed_) {
    const std::string& symbol = launches[one.launch].symbol;
    one.launches = static_cast<std::size_t>(std::ranges::count(launches, symbol, &ProgramLaunch::symbol));
    if (const auto copied = copied_.find(symbol); copied != copied_.end()) { one.copied = copied->second; }
  }
  findUnchanged(unchanged);
  findAlike(launches);
  facts_ = coefficientFacts(executed_, launches, {stop_, std::chrono::steady_clock::now() + kLongestLook});
  functions_.emplace(std::move(executed_), std::move(calls_), mostBytes_, stop_);
  return next();
}

/// Of each kernel the first launch.
void ComparedCalls::findAlike(const std::vector<ProgramLaunch>& launches) {
  const ComparisonLimit limit{stop_, std::chrono::steady_clock::now() + kLongestLook};
  struct First {
    std::size_t launch = 0;
    Computation computation;
  };
  std::map<std::string, First> firsts;
  std::uint64_t bytes = 0;
  for (const ExecutedKernel& one : executed_) {
    const std::string& symbol = launches[one.launch].symbol;
    if (firsts.contains(symbol) || (bytes += computedBytes(one)) > mostBytes_) { continue; }
    firsts.emplace(symbol, First{one.launch, computationOf(one)});
  }
  for (const auto& [symbol, one] : firsts) {
    for (const auto& [name, other] : firsts) {
      if (symbol != name && haveSameResult(one.computation, other.computation, limit)) {
        alike_[one.launch].push_back(name);
      }
    }
  }
}

std::optional<OwnFunctions::Request> ComparedCalls::answered(std::vector<std::vector<std::byte>> blocks) {
  if (!asking_) { throw InputError(tr("the host process called a function that it was not to call")); }
  functions_->answer(std::move(blocks));
  return next();
}

std::optional<OwnFunctions::Request> ComparedCalls::next() {
  std::optional<OwnFunctions::Request> request = functions_->next();
  asking_ = request.has_value();
  return request;
}

void ComparedCalls::conclude(std::vector<ProgramLaunch>& launches, HostFindings& findings) const {
  if (!functions_) { return; }
  for (const CoefficientFact& fact : facts_) {
    ProgramLaunch& launch = launches.at(fact.launch);
    if (!launch.findings.empty() || launch.lacksConstants) { continue; }
    if (fact.host) { findings.add(fact.host->kind, fact.host->at, fact.host->message); }
    if (fact.kernel) { launch.findings.push_back(*fact.kernel); }
  }
  for (const auto& [launch, symbols] : alike_) { launches.at(launch).alike = symbols; }
  const std::vector<OwnVerdict>& verdicts = functions_->verdicts();
  for (const OwnVerdict& one : verdicts) {
    ProgramLaunch& launch = launches.at(one.launch);
    // A function that computes what another kernel does, or what several do not, is not this one's.
    const bool isOthers = std::ranges::any_of(verdicts, [&](const OwnVerdict& other) {
      return other.at == one.at && launches.at(other.launch).symbol != launch.symbol;
    });
    // One that another kernel computes, and from which this one differs as another filter does, or another rule for the
    // border, is no reference of it, unless the program compares the two.
    const bool isOther =
        (one.isOther || one.atBorder) && std::ranges::any_of(verdicts, [&](const OwnVerdict& other) {
          return other.at == one.at && !other.finding && launches.at(other.launch).symbol != launch.symbol;
        });
    // Another rule that takes the same neighbours, such as another automaton's, has another purpose unless the program
    // compares the two.
    const bool isOtherRule = one.isOtherRule && !one.atBorder;
    if (!one.finding) {
      launch.ownFunction = fmt::format("{} ({})", one.function, placeText(one.at));
      launch.onOwnDataOnly = !one.onOtherData;
    } else if (!one.meant || isOther || isOtherRule) {
      launch.unlike = fmt::format("{} ({})", one.function, placeText(one.at));
      if ((!isOthers || isOther || isOtherRule) && launch.findings.empty() && !launch.lacksConstants) {
        launch.wrongIfMeant = one.finding;
        launch.wrongIfCompared = one.meant && (!one.isOther || (one.isOtherRule && !isOther));
      }
    } else if (launch.findings.empty() && !launch.lacksConstants) {
      launch.findings.push_back(*one.finding);
      launch.unlessAccepted = one.unlessAccepted;
    }
  }
}

}  // namespace haloscope::running
