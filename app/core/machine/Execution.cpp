#include "machine/Execution.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "language/Text.h"
#include "machine/KernelProcess.h"
#include "machine/ShapeDependence.h"
#include "process/ChildProcess.h"
#include "program/HaloscopeProgram.h"
#include "simt/LaunchMemory.h"
#include "text/Print.h"

namespace haloscope::machine {
namespace {

using Clock = std::chrono::steady_clock;

/// Addresses, not memory: what is not written takes none.
constexpr std::size_t kArenaBytes = std::size_t{16} << 30;
/// Of one launch, at most: the emulator does what is larger.
constexpr std::uint64_t kMostArrayBytes = std::uint64_t{4} << 30;
/// Kernels and shapes whose code is kept.
constexpr std::size_t kMostKernels = 12;
/// What a kernel has taken on the emulator before it is compiled, and what is taken to last as long at once.
constexpr std::chrono::milliseconds kWorthCompiling{25};
constexpr std::uint64_t kLaneInstructionsWorthIt = std::uint64_t{1} << 26;
/// What is smaller is emulated without keeping anything of it.
constexpr std::uint64_t kTooSmall = std::uint64_t{1} << 18;
constexpr std::chrono::seconds kLongestCompiling{20};
constexpr int kPollMilliseconds = 5;
/// After so many launches given up the emulator is left alone.
constexpr int kMostGivenUp = 2;

/// A kernel and a shape of launches. One launch at a time is executed as machine code.
struct Kernel {
  Program program;
  KernelShape shape;
  std::mutex running;
  std::unique_ptr<KernelProcess> process;
  Clock::duration emulated{};
  int givenUp = 0;
  ShapeDependence dependence;
  simt::Profile profile;  ///< of any launch, if that depends on its shape alone; empty until one was counted
  bool refused = false, oneWorker = false;
  std::string why;  ///< it was refused
};

void warnOnce(const std::string& why) {
  static std::once_flag warned;
  std::call_once(warned, [&] {
    printText(stderr, "haloscope: warning: {}\n",
              trf("kernels are not compiled to machine code here, and the emulator takes longer: {}", why));
  });
}

/// All kernels of this program that are executed more than once.
class Kernels {
 public:
  std::shared_ptr<Kernel> of(const Program& program, const KernelShape& shape) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        all_, [&](const std::shared_ptr<Kernel>& one) { return one->shape == shape && one->program == program; });
    if (found != all_.end()) {
      all_.splice(all_.begin(), all_, found);
    } else {
      all_.push_front(std::make_shared<Kernel>());
      all_.front()->program = program;
      all_.front()->shape = shape;
      all_.front()->dependence = dependenceOf(program);
      if (all_.size() > kMostKernels) { all_.pop_back(); }
    }
    return all_.front();
  }

  /// Begins to compile. Does not throw: what goes wrong is kept as the kernel's refusal.
  void compile(Kernel& kernel) {
    const std::lock_guard lock(mutex_);
    try {
      if (!canBeStarted()) {
        kernel.why = "this program cannot start itself again";
        kernel.refused = true;
        return;
      }
      if (!server_ || server_->ended()) {
        if (!arena_) { arena_ = std::make_shared<Arena>(kArenaBytes); }
        server_ = std::make_shared<process::ForkServer>(
            process::ChildStart{.program = usedHaloscope().value_or("/proc/self/exe"),
                                .arguments = {kKernelCommand, HALOSCOPE_VERSION},
                                .files = {{arena_->file(), kArenaFile}},
                                .standardStreams = false,
                                .environment = process::bareEnvironment()});
      }
      kernel.process = std::make_unique<KernelProcess>(server_, arena_, kernel.program, kernel.shape);
    } catch (const std::exception& error) { refuse(kernel, error.what()); }
  }

  /// Its process has said that it cannot.
  void refuse(Kernel& kernel) {
    const Prepared answer = kernel.process->prepared();
    if (answer.outcome == Prepared::Outcome::NoMachine) { warnOnce(answer.why); }
    refuse(kernel, answer.why);
  }
  /// The emulator executes it from now on.
  void refuse(Kernel& kernel, const std::string& why) {
    kernel.process.reset();
    kernel.refused = true;
    kernel.why = why;
  }

  std::atomic<Policy> policy{Policy::Auto};

 private:
  std::mutex mutex_;
  std::list<std::shared_ptr<Kernel>> all_;  ///< the one used last first
  std::shared_ptr<Arena> arena_;
  std::shared_ptr<process::ForkServer> server_;
};

/// Never destroyed: other threads may still execute while the program ends.
Kernels& kernels() {
  static auto* const only = new Kernels;
  return *only;
}

void takeTurns(Launch& launch, const Series& series) {
  std::vector<std::vector<std::byte>> next;
  for (const ObjectId object : series.successors) { next.push_back(std::move(launch.arrays[object].bytes)); }
  for (std::size_t i = 0; i < next.size(); ++i) { launch.arrays[series.objects[i]].bytes = std::move(next[i]); }
}

Result emulate(const Program& program, Launch& launch, const simt::ExecuteOptions& options, const Series& series) {
  Result result;
  for (std::uint32_t i = 0; i < series.sweeps; ++i) {
    result = {simt::execute(program, launch, {}, options)};
    if (result.outcome != simt::Outcome::Finished) { break; }
    takeTurns(launch, series);
  }
  return result;
}

bool isPlain(const simt::ExecuteOptions& options) {
  return options.schedule == simt::Schedule::Barrier && options.onlyBlocks.empty() &&
         (options.order == simt::WarpOrder::SideBySide || options.order == simt::WarpOrder::InOrder);
}

/// Of what the emulator does for a launch, from below: loops are not known.
std::uint64_t laneInstructions(const Program& program, const Launch& launch, const Series& series) {
  const LaunchConfiguration& shape = launch.configuration;
  return shape.grid.count() * shape.block.count() * program.code.size() * series.sweeps;
}

/// One kernel's launch as machine code. None if the emulator has to do it.
class MachineRun {
 public:
  MachineRun(Kernel& kernel, Launch& launch, const simt::ExecuteOptions& options, const Series& series)
      : kernel_(kernel), launch_(launch), options_(options), series_(series) {}

  std::optional<Result> operator()() {
    std::optional<Swept::Outcome> outcome = sweep();
    if (outcome == Swept::Outcome::Conflict && !kernel_.oneWorker) {
      kernel_.oneWorker = true;
      outcome = sweep();
    }
    if (!outcome) {
      if (options_.stop.stop_requested()) {
        kernel_.process.reset();  // it may be anywhere
        Result stopped;
        stopped.outcome = simt::Outcome::Stopped;
        stopped.message = tr("stopped");
        return stopped;
      }
      kernels().refuse(kernel_, "the process with its machine code has ended");
      return std::nullopt;
    }
    if (*outcome != Swept::Outcome::Finished) {
      if (++kernel_.givenUp >= kMostGivenUp) { kernels().refuse(kernel_, "its launches were given up"); }
      return std::nullopt;
    }
    kernel_.process->take(launch_, wanted());
    Result result;
    result.machineCode = true;
    result.blocks = launch_.configuration.grid.count();
    result.threads = result.blocks * launch_.configuration.threadsPerBlock();
    return result;
  }

 private:
  [[nodiscard]] Sweeps wanted() const {
    return {
        .blockBudget = options_.instructionBudget == 0 ? simt::kDefaultInstructionBudget : options_.instructionBudget,
        .launchBudget = options_.launchBudget,
        .count = series_.sweeps,
        .oneWorker = kernel_.oneWorker || options_.workers == 1,
        .objects = series_.objects,
        .successors = series_.successors};
  }
  std::optional<Swept::Outcome> sweep() {
    kernel_.process->fill(launch_);
    return kernel_.process->sweep(wanted(), [this] { return !options_.stop.stop_requested(); });
  }

  Kernel& kernel_;
  Launch& launch_;
  const simt::ExecuteOptions& options_;
  const Series& series_;
};

/// The emulator begins; where the code is ready before it ends, that does all of it.
std::optional<Result> race(Kernel& kernel, Launch& launch, const simt::ExecuteOptions& options, const Series& series) {
  std::vector<std::vector<std::byte>> before(launch.arrays.size());
  const std::vector<bool> written = writtenObjects(kernel.program);
  const auto changes = [&](std::size_t object) {
    return written[object] || std::ranges::find(series.objects, object) != series.objects.end();
  };
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (changes(i)) { before[i] = launch.arrays[i].bytes; }
  }
  std::stop_source stops;
  const std::stop_callback also(options.stop, [&] { stops.request_stop(); });
  std::atomic<bool> ended{false};
  std::jthread watch([&] {
    while (!ended && !kernel.process->ready(kPollMilliseconds)) {}
    if (!ended) { stops.request_stop(); }
  });
  simt::ExecuteOptions emulated = options;
  emulated.stop = stops.get_token();
  std::optional<Result> result;
  std::exception_ptr thrown;
  try {
    result = emulate(kernel.program, launch, emulated, series);
  } catch (...) { thrown = std::current_exception(); }
  ended = true;
  watch.join();
  if (thrown) { std::rethrow_exception(thrown); }
  if (result->outcome != simt::Outcome::Stopped || options.stop.stop_requested()) { return result; }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (changes(i)) { launch.arrays[i].bytes = std::move(before[i]); }
  }
  if (kernel.process->ready(0) != std::optional(true)) {
    kernels().refuse(kernel);
    return std::nullopt;
  }
  return MachineRun(kernel, launch, options, series)();
}

std::optional<Result> asMachineCode(Kernel& kernel, Launch& launch, const simt::ExecuteOptions& options,
                                    const Series& series) {
  const Policy policy = kernels().policy;
  if (kernel.refused) { return std::nullopt; }
  const bool large = laneInstructions(kernel.program, launch, series) > kLaneInstructionsWorthIt;
  if (!kernel.process) {
    if (policy != Policy::Machine && !large && kernel.emulated < kWorthCompiling) { return std::nullopt; }
    kernels().compile(kernel);
    if (kernel.refused) { return std::nullopt; }
  }
  const auto until = Clock::now() + kLongestCompiling;
  std::optional<bool> ready = kernel.process->ready(0);
  while (!ready && policy == Policy::Machine && Clock::now() < until) {
    ready = kernel.process->ready(kPollMilliseconds);
  }
  if (!ready) { return large ? race(kernel, launch, options, series) : std::nullopt; }
  if (!*ready) {
    kernels().refuse(kernel);
    return std::nullopt;
  }
  return MachineRun(kernel, launch, options, series)();
}

std::uint64_t arrayBytes(const Launch& launch) {
  std::uint64_t bytes = 0;
  for (const ArrayData& array : launch.arrays) { bytes += array.bytes.size(); }
  return bytes;
}

}  // namespace

Result execute(const Program& program, Launch& launch, const simt::ExecuteOptions& options, const Series& series,
               bool profiled) {
  const Policy policy = kernels().policy;
  const bool cannot = policy == Policy::Emulator || !isPlain(options) || arrayBytes(launch) > kMostArrayBytes;
  if (cannot || (policy == Policy::Auto && laneInstructions(program, launch, series) < kTooSmall)) {
    return emulate(program, launch, options, series);
  }
  simt::checkLaunch(program, launch);
  const std::shared_ptr<Kernel> kernel = kernels().of(program, shapeOf(program, launch));
  const std::unique_lock own(kernel->running, std::try_to_lock);
  if (!own) { return emulate(program, launch, options, series); }
  const bool counted = !kernel->profile.lanes.empty();
  if (!profiled || counted) {
    if (std::optional<Result> result = asMachineCode(*kernel, launch, options, series)) {
      if (profiled && result->outcome == simt::Outcome::Finished) { result->profile = kernel->profile; }
      return *std::move(result);
    }
  }
  const Clock::time_point begin = Clock::now();
  Result result = emulate(program, launch, options, series);
  kernel->emulated += Clock::now() - begin;
  if (kernel->dependence.control && result.outcome == simt::Outcome::Finished) { kernel->profile = result.profile; }
  return result;
}

void setPolicy(Policy policy) { kernels().policy = policy; }

std::string whyEmulated(const Program& program, const Launch& launch) {
  const std::shared_ptr<Kernel> kernel = kernels().of(program, shapeOf(program, launch));
  const std::unique_lock own(kernel->running);
  if (!kernel->process && !kernel->refused) { kernels().compile(*kernel); }
  if (kernel->refused) { return kernel->why; }
  const std::optional<bool> ready =
      kernel->process->ready(static_cast<int>(std::chrono::milliseconds(kLongestCompiling).count()));
  if (ready == std::optional(true)) { return {}; }
  return ready ? kernel->process->prepared().why : "it is still being compiled";
}

}  // namespace haloscope::machine
