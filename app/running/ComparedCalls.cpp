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
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{1} << 30;
constexpr std::size_t kMostCopiedBytes = std::size_t{512} << 20;
// Of the comparison of kernels with one another.
constexpr std::uint64_t kMostAlikeBytes = std::uint64_t{512} << 20;
constexpr std::chrono::seconds kLongestLook{2};

}  // namespace

std::optional<ExecutedKernel> ComparedCalls::begin(std::size_t index, const BoundLaunch& bound) {
  std::size_t bytes = 0;
  for (const auto& [object, allocation] : bound.allocations) { bytes += 2 * bound.launch.arrays[object].bytes.size(); }
  if (!wanted_ || executed_.size() >= kMostCompared || keptBytes_ + bytes > kMostKeptBytes) { return std::nullopt; }
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

void ComparedCalls::copiedBack(AllocationId from, std::vector<std::byte> rows) {
  const auto writer = lastWriter_.find(from);
  if (!wanted_ || writer == lastWriter_.end()) { return; }
  // Of each kernel the last rows.
  std::vector<std::byte>& kept = copied_[writer->second];
  copiedBytes_ -= kept.size();
  kept = copiedBytes_ + rows.size() <= kMostCopiedBytes ? std::move(rows) : std::vector<std::byte>();
  copiedBytes_ += kept.size();
}

OwnCall* ComparedCalls::returned(const host::FunctionCall& message, std::span<const std::byte> payload) {
  if (!wanted_) { throw InputError(tr("the host process sent a call that was not asked for")); }
  if (calls_.size() >= kMostCalls || keptBytes_ + payload.size() > kMostKeptBytes) { return nullptr; }
  keptBytes_ += payload.size();
  return &calls_.emplace_back(ownCallOf(message, payload));
}

std::optional<OwnFunctions::Request> ComparedCalls::ended(const std::vector<ProgramLaunch>& launches, bool passes) {
  if (!wanted_ || functions_) { throw InputError(tr("the host process ended its program twice")); }
  for (ExecutedKernel& one : executed_) {
    const std::string& symbol = launches[one.launch].symbol;
    one.launches = static_cast<std::size_t>(std::ranges::count(launches, symbol, &ProgramLaunch::symbol));
    if (const auto copied = copied_.find(symbol); copied != copied_.end()) { one.copied = copied->second; }
  }
  findAlike(launches);
  functions_.emplace(std::move(executed_), std::move(calls_), passes, stop_);
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
    if (firsts.contains(symbol) || (bytes += computedBytes(one)) > kMostAlikeBytes) { continue; }
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

std::optional<OwnFunctions::Request> ComparedCalls::answered(const host::CalledAgain& message,
                                                             std::span<const std::byte> payload) {
  if (!asking_) { throw InputError(tr("the host process called a function that it was not to call")); }
  functions_->answer(blocksOf(payload, message.blocks));
  return next();
}

std::optional<OwnFunctions::Request> ComparedCalls::next() {
  std::optional<OwnFunctions::Request> request = functions_->next();
  asking_ = request.has_value();
  return request;
}

void ComparedCalls::conclude(std::vector<ProgramLaunch>& launches) const {
  if (!functions_) { return; }
  for (const auto& [launch, symbols] : alike_) { launches.at(launch).alike = symbols; }
  for (const OwnVerdict& one : functions_->verdicts()) {
    ProgramLaunch& launch = launches.at(one.launch);
    if (!one.finding) {
      launch.ownFunction = trf("{} ({}){}", one.function, placeText(one.at),
                               one.onOtherData ? "" : tr(", on the program's own data only"));
    } else if (launch.findings.empty() && !launch.lacksConstants) {
      launch.findings.push_back(*one.finding);
    }
  }
}

std::vector<std::vector<std::byte>> blocksOf(std::span<const std::byte> payload,
                                             const std::vector<std::uint64_t>& sizes) {
  std::vector<std::vector<std::byte>> blocks;
  for (const std::uint64_t bytes : sizes) {
    if (bytes > payload.size()) { throw InputError(tr("the host process sent fewer bytes than it said")); }
    blocks.emplace_back(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(bytes));
    payload = payload.subspan(bytes);
  }
  return blocks;
}

}  // namespace haloscope::running
