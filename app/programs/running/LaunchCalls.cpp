#include "running/LaunchCalls.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "running/LaunchBinding.h"
#include "running/LaunchDescription.h"

namespace haloscope::running {

namespace {

// cudaFuncAttribute
constexpr int kMaxDynamicSharedBytes = 8;
constexpr int kLargeClusters = 14;

// Of what a program does, and of what a process may claim that it does.
constexpr std::size_t kMaxLaunches = 100'000;
constexpr std::size_t kMaxSkipped = 1000;       ///< of a survey
constexpr std::size_t kMostRecorded = 100'000;  ///< cudaEvent_t

}  // namespace

LaunchCalls::LaunchCalls(const host::HostProgram& program, const RunOptions& options, bool survey, DeviceMemory& memory,
                         HostFindings& findings, ComparedCalls& compared, ProgramRun& result)
    : options_(options),
      survey_(survey),
      most_(survey ? std::min(options.budget.kernelTime, options.budget.patience) : options.budget.kernelTime),
      memory_(memory),
      findings_(findings),
      compared_(compared),
      result_(result),
      kernels_(program, options.repeated ? options.repeated->kernels : ChangedKernels()),
      limits_(options.device),
      sequence_(options, survey),
      unordered_(program, options, memory, findings),
      constants_(memory, findings) {}

std::string LaunchCalls::beyondBudget() {
  const double most = std::chrono::duration<double>(most_).count();
  const bool tooMany = result_.launches.size() >= kMaxLaunches, tooLong = result_.kernelSeconds > most;
  if ((tooMany || tooLong) && !leavesOut(result_.excess)) { result_.excess = Excess::Kernels; }
  if (tooMany) { return trf("The program launches more than {} kernels.", kMaxLaunches); }
  if (survey_ ? sequence_.skipped() > kMaxSkipped : tooLong) {
    return trf("The program's {} launches took more than {} s on the emulator.", result_.launches.size(), most);
  }
  return {};
}

const LaunchedKernel* LaunchCalls::begin(const host::LaunchCall& call, ProgramEvent& event) {
  event.launch = result_.launches.size();
  stream_ = call.stream;
  ProgramLaunch& launch = result_.launches.emplace_back();
  launch.symbol = call.kernel;
  launch.at = event.at;
  launch.device = device_;
  launch.configuration = {
      .grid = {call.grid[0], call.grid[1], call.grid[2]},
      .block = {call.block[0], call.block[1], call.block[2]},
      .dynamicSharedBytes = static_cast<std::int64_t>(std::min<std::uint64_t>(call.dynamicSharedBytes, 1U << 30)),
      .cooperative = call.cooperative,
      .cluster = {call.cluster[0], call.cluster[1], call.cluster[2]}};
  const LaunchedKernel& kernel = kernels_.find(call.kernel, call.file);
  launch.kernel = kernel.name;
  launch.file = kernel.file;
  launch.program = kernel.program;
  if (stickyError_ != kSuccess) {
    return refuse(launch, event, stickyError_,
                  tr("Not launched: an earlier kernel failed, and every call after it returns its error."));
  }
  if (const std::uint32_t of = unordered_.deviceOf(call.stream).value_or(device_); of != device_) {
    std::string problem =
        trf("This launch is for GPU {}, and its stream is one of GPU {}: the call fails.", device_, of);
    findings_.add(HostFindingKind::WrongDevice, launch.at, problem);
    unchecked_ = launch.at;
    return refuse(launch, event, kInvalidResourceHandle, std::move(problem));
  }
  launch.configuration.sharedBytesLimit = limits_.sharedBytesOf(launch.symbol);
  if (std::string beyond = limits_.beyondLimit(launch); !beyond.empty()) {
    findings_.add(HostFindingKind::LaunchLimit, launch.at, beyond);
    unchecked_ = launch.at;
    return refuse(launch, event, kInvalidValue, std::move(beyond));
  }
  launch.configuration.clusterLimit = limits_.clusterBlocksOf(launch.symbol);
  if (std::string beyond = LaunchLimits::beyondClusters(launch); !beyond.empty()) {
    findings_.add(HostFindingKind::LaunchLimit, launch.at, beyond);
    // Where the launch gives the size, the call itself returns this error.
    if (launch.configuration.cluster == Dim3{0, 0, 0}) { unchecked_ = launch.at; }
    return refuse(launch, event, kInvalidClusterSize, std::move(beyond));
  }
  if (std::string beyond = limits_.tooManyTogether(launch); !beyond.empty()) {
    findings_.add(HostFindingKind::LaunchLimit, launch.at, beyond);
    // The call itself returns this error.
    return refuse(launch, event, kCooperativeLaunchTooLarge, std::move(beyond));
  }
  launch.problem = tr("The program ended before the launch.");  // until its arguments are there
  return &kernel;
}

const LaunchedKernel* LaunchCalls::refuse(ProgramLaunch& launch, ProgramEvent& event, int error, std::string problem) {
  launch.problem = std::move(problem);
  event.error = error;
  return nullptr;
}

void LaunchCalls::execute(const LaunchedKernel& kernel, std::span<const std::byte> arguments) {
  ProgramLaunch& launch = result_.launches.back();
  launch.problem = kernel.program ? std::string() : kernel.problem;
  if (!kernel.program) { return; }
  const auto entered = std::chrono::steady_clock::now();
  auto began = entered;
  try {
    BoundLaunch bound = running::bind(kernel, launch.configuration, arguments, memory_);
    // What tables point to only the launch itself knows; findings name it.
    if (bound.program->objects.size() > launch.program->objects.size()) { launch.program = bound.program; }
    describe(launch, bound, memory_, findings_);
    const bool known = std::ranges::any_of(result_.launches, [&](const ProgramLaunch& one) {
      return one.symbol == launch.symbol && one.facts.integers != nullptr;
    });
    if (!known) { launch.facts.integers = integersOf(bound); }
    if (options_.beforeLaunch) {
      options_.beforeLaunch(launch, kernel, bound);
      began = std::chrono::steady_clock::now();
    }
    try {
      executeOrKeep(launch, bound);
    } catch (const InputError& refused) { launch.problem = refused.what(); }
    unbind(bound, memory_);
  } catch (const InputError& refused) { launch.problem = refused.what(); }
  const auto ended = std::chrono::steady_clock::now();
  launch.seconds = std::chrono::duration<double>(ended - began).count();
  time_ += ended - entered;
  result_.kernelSeconds += launch.seconds;
  deviceNanoseconds_ += predictedSeconds(launch, options_.device) * 1e9;
}

void LaunchCalls::executeOrKeep(ProgramLaunch& launch, BoundLaunch& bound) {
  const std::size_t index = result_.launches.size() - 1;
  if (options_.keepLaunch == index) {
    result_.kept = std::make_shared<const KeptLaunch>(keptOf(bound));
    return;
  }
  std::optional<ExecutedKernel> compared;
  const bool isNew = sequence_.isNew(launch);
  if (isNew) { compared = compared_.begin(index, bound); }
  findOtherDevices(launch, bound);
  unordered_.begins(launch, bound, stream_);
  sequence_.execute(launch, bound, result_.excess);
  unordered_.ended(launch, bound);
  if (launch.executed) {
    constants_.launched(result_.launches, bound, result_.events);
    stickyError_ = stickyErrorOf(launch);
  }
  if (isWhole(launch) && stickyError_ == kSuccess) {
    compared_.finish(std::move(compared), launch, bound);
    leftBehind_.launched(index, bound);
    coverage_.launched(index, launch, bound, isNew, options_);
  }
  // What made it fail has been reported.
  if (stickyError_ != kSuccess && launch.findings.empty()) { unchecked_ = launch.at; }
}

void LaunchCalls::findOtherDevices(const ProgramLaunch& launch, const BoundLaunch& bound) {
  for (const auto& [object, id] : bound.allocations) {
    const Allocation& one = memory_.at(id);
    // A variable of the device is there on each of them.
    const bool isReachable = one.device == device_ || one.hostAddress != 0 || !one.name.empty();
    if (isReachable || peers_.contains({device_, one.device})) { continue; }
    findings_.add(
        HostFindingKind::WrongDevice, launch.at,
        trf("{} runs on GPU {} and is given {}, which is memory of GPU {}: without "
            "cudaDeviceEnablePeerAccess() that is an illegal address there.",
            launch.kernel, device_,
            one.label.empty() ? trf("the memory allocated at {}", placeText(one.allocatedAt)) : one.label, one.device));
  }
}

void LaunchCalls::synchronized() {
  if (stickyError_ != kSuccess) { unchecked_ = {}; }
}

int LaunchCalls::setAttribute(const host::SetKernelAttribute& call) {
  if (call.attribute == kLargeClusters) { limits_.allowLargeClusters(call.kernel, call.value != 0); }
  const bool refused = call.attribute == kMaxDynamicSharedBytes && !limits_.raiseDynamicShared(call.kernel, call.value);
  return refused ? kInvalidValue : kSuccess;
}

std::uint64_t LaunchCalls::property(const host::KernelProperty& call) {
  const LaunchedKernel& kernel = kernels_.find(call.kernel, call.file);
  const std::int64_t declared = kernel.program ? kernel.program->sharedBytes() : 0;
  if (call.name == "argumentBytes") {
    const auto sizes = kernel.program ? argumentSizes(*kernel.program) : std::vector<std::uint64_t>{};
    const auto i = static_cast<std::size_t>(call.threads);
    return i < sizes.size() ? sizes[i] : 0;
  }
  if (call.name == "sharedSizeBytes") { return static_cast<std::uint64_t>(declared); }
  const std::int64_t threads = std::clamp<std::int64_t>(call.threads, 1, 1024);
  const std::int64_t shared = declared + std::clamp<std::int64_t>(call.dynamicSharedBytes, 0, std::int64_t{1} << 30);
  return static_cast<std::uint64_t>(limits_.blocksPerMultiprocessor(threads, shared));
}

void LaunchCalls::record(std::uint64_t event) {
  if (recorded_.size() < kMostRecorded) { recorded_[event] = deviceNanoseconds_; }
}

std::optional<double> LaunchCalls::between(std::uint64_t start, std::uint64_t end) const {
  const auto from = recorded_.find(start), to = recorded_.find(end);
  if (from == recorded_.end() || to == recorded_.end()) { return std::nullopt; }
  return std::max(0.0, to->second - from->second);
}

void LaunchCalls::findUnchecked() {
  if (unchecked_.line != 0) {
    findings_.add(HostFindingKind::UncheckedError, unchecked_,
                  tr("This launch fails, and nothing checks it: cudaGetLastError() after it would tell."));
  }
  for (host::HostDiagnostic& one : kernels_.errorsOfOthers()) {
    findings_.add(HostFindingKind::UnreadKernel, one.where, std::move(one.message));
  }
}

}  // namespace haloscope::running
