#include "running/Conductor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "running/AllocationCalls.h"
#include "running/ClaimedNames.h"
#include "running/ComparedCalls.h"
#include "running/CudaErrors.h"
#include "running/EndSentence.h"
#include "running/ForgottenPitch.h"
#include "running/HostFindings.h"
#include "running/HostProcess.h"
#include "running/LaunchBinding.h"
#include "running/LaunchCalls.h"
#include "running/OwnCheck.h"
#include "running/RepeatedLaunches.h"
#include "running/SharedHostMemory.h"
#include "running/Transfers.h"
#include "running/UnsetArrays.h"

namespace haloscope::running {

namespace {

/// Of a processor: a minute's worth of templates is enough.
constexpr std::chrono::seconds kCompileTime{60};
/// This process should find out that a program takes too long before the system ends it.
constexpr std::chrono::seconds kSpareTime{2};
// Of what a program does, and of what a process may claim that it does.
constexpr std::size_t kMaxEvents = 200'000;
constexpr std::size_t kMaxRefusedFiles = 1000;
constexpr std::size_t kMaxVariables = 4096;
constexpr std::size_t kMostProblems = 200;

/// The parent's side of a program: answers the host's calls one after the other.
class Conductor {
 public:
  Conductor(const host::HostProgram& program, const RunOptions& options, bool survey)
      : options_(options),
        hostTime_(survey ? std::min(options.budget.hostTime, options.budget.patience) : options.budget.hostTime),
        memory_(options.budget.deviceBytes),
        half_(hostHalfOf(program)),
        names_(half_),
        allocations_(memory_, findings_, program, options),
        transfers_(memory_, findings_),
        shared_(memory_),
        compared_(options.comparesOwnFunctions, options.stop),
        launches_(program, options, survey, memory_, findings_, compared_, result_) {
    start_ = {.program = program,
              .arguments = {program.files.front().name},
              .properties = options.device.properties,
              .deviceName = options.device.name,
              .objectBytes = {},
              .watchesCalls = options.comparesOwnFunctions};
    for (const NamedFile& file : options.files) { start_.files.push_back(file.name); }
    start_.arguments.insert(start_.arguments.end(), options.arguments.begin(), options.arguments.end());
    if (options.compiled != nullptr && options.compiled->half.text == half_.text) {
      result_.compiled = options.compiled;
    }
    if (result_.compiled != nullptr) {
      for (const auto& object : result_.compiled->objects) { start_.objectBytes.push_back(object.size()); }
    }
  }

  ProgramRun run() {
    HostProcess process(
        start_, result_.compiled != nullptr ? result_.compiled->objects : std::vector<std::vector<std::byte>>{},
        {.executable = options_.executable,
         .limits = {.memoryBytes = options_.budget.hostBytes,
                    .compileTime = kCompileTime,
                    .runTime = std::chrono::ceil<std::chrono::seconds>(options_.budget.hostTime) + kSpareTime,
                    .compilerHeaders = options_.compilerHeaders.string()},
         .files = options_.files,
         .ends = options_.hostEnds});
    process_ = &process;
    try {
      while (!over_) { step(process.receive(options_.stop)); }
    } catch (const InputError& forged) { end(ProgramEnd::Failed, forged.what()); } catch (const std::bad_alloc&) {
      end(ProgramEnd::Failed, tr("There is not enough memory to execute this program."));
    }
    process.finishOutput();
    HostProcess::Output output = process.output();
    result_.output = std::move(output.text);
    result_.outputLeftOut = output.leftOut;
    result_.hostSeconds = std::chrono::duration<double>(process.hostTime()).count() - result_.compileSeconds;
    conclude();
    return std::move(result_);
  }

 private:
  using Payload = std::vector<std::byte>;

  void step(std::variant<HostProcess::Received, HostProcess::Silence> next) {
    if (const auto* silence = std::get_if<HostProcess::Silence>(&next)) {
      // The program itself has ended; a function of it that was called again has not.
      if (compared_.asking() && *silence != HostProcess::Silence::Stopped) { return end(ProgramEnd::Exited, {}); }
      switch (*silence) {
        case HostProcess::Silence::Stopped:
          return end(ProgramEnd::Stopped, tr("The program was stopped."));
        case HostProcess::Silence::Ended:
          if (const std::string how = process_->end(); !process_->usedUpItsTime()) {
            return end(ProgramEnd::Crashed, trf("The program's process {}.", how));
          }
          [[fallthrough]];
        case HostProcess::Silence::TooLong:
          exceed(Excess::HostTime);
          return end(ProgramEnd::TooLong,
                     trf("The host code did not end within {} s, not counting the time that kernels took.",
                         hostTime_.count() / 1000));
      }
    }
    auto& received = std::get<HostProcess::Received>(next);
    at_ = placed(std::move(received.call.at));
    report();
    const auto began = std::chrono::steady_clock::now();
    const std::chrono::steady_clock::duration elsewhere = countedElsewhere();
    std::visit([&](auto& message) { on(message, received.payload); }, received.call.message);
    if (!over_) { count(std::chrono::steady_clock::now() - began - (countedElsewhere() - elsewhere)); }
  }

  [[nodiscard]] host::HostPlace placed(host::HostPlace claimed) const {
    return names_.place(std::move(claimed), result_.compiled != nullptr ? result_.compiled->half : half_);
  }

  /// Time so far that is the host's own, or that of launches. Within a launch the next call may be answered.
  [[nodiscard]] std::chrono::steady_clock::duration countedElsewhere() const {
    return process_->hostTime() + launches_.time() + answering_;
  }

  /// Work for the host's calls, which is neither: filling memory, say, or reading the text of a kernel.
  void count(std::chrono::steady_clock::duration answering) {
    answering_ += answering;
    if (answering_ <= options_.budget.kernelTime) { return; }
    exceed(Excess::HostTime);
    end(ProgramEnd::TooLong, trf("The program's calls, such as copies and fills of memory, took more than {} s.",
                                 std::chrono::duration<double>(options_.budget.kernelTime).count()));
  }

  void report(const std::string& kernel = {}) {
    if (!options_.progress) { return; }
    options_.progress({.compiled = began_,
                       .calls = result_.events.size(),
                       .launches = result_.launches.size(),
                       .at = at_,
                       .kernel = kernel});
  }

  void end(ProgramEnd how, std::string message) {
    result_.end = how;
    result_.message = shortened(std::move(message));
    result_.endedAt = at_;
    over_ = true;
  }

  void reply(int error = kSuccess, std::uint64_t value = 0, std::vector<std::uint64_t> list = {},
             std::span<const std::span<const std::byte>> payload = {}) {
    const int sticky = launches_.stickyError();
    process_->reply({.error = sticky != kSuccess ? sticky : error,
                     .value = value,
                     .list = std::move(list),
                     .sticky = sticky != kSuccess},
                    payload);
  }

  /// What the arrays hold after that is not what the program computes.
  void exceed(Excess what) {
    if (result_.excess == Excess::None) { result_.excess = what; }
  }

  ProgramEvent& note(ProgramEvent::Kind kind) {
    if (result_.events.size() >= kMaxEvents) { result_.events.pop_back(); }
    return result_.events.emplace_back(ProgramEvent{.kind = kind, .at = at_, .printed = process_->printedBytes()});
  }

  /// After a fault of a kernel every call fails, as on a GPU: the host gets nothing.
  bool failsAfterFault(ProgramEvent& event) {
    if (launches_.stickyError() == kSuccess) { return false; }
    event.error = launches_.stickyError();
    reply();
    return true;
  }

  void find(HostFindingKind kind, std::string message) { findings_.add(kind, at_, std::move(message)); }

  // Before main().

  void on(const host::Rejected& message, const Payload&) {
    result_.problems = message.problems;
    if (result_.problems.size() > kMostProblems) { result_.problems.resize(kMostProblems); }
    for (host::HostDiagnostic& one : result_.problems) {
      one.message = shortened(std::move(one.message));
      one.where = placed(std::move(one.where));
      if (one.where.line == 0) { one.column = 0; }
    }
    const bool noMain = message.lacksMain;
    end(noMain ? ProgramEnd::NoMain : ProgramEnd::Rejected,
        noMain ? tr("The program has no main().") : tr("The host code cannot be compiled."));
    if (!noMain && !result_.problems.empty()) { result_.endedAt = result_.problems.front().where; }
  }
  void on(const host::Compiled& message, const Payload& payload) {
    if (began_ || result_.compiled != nullptr) { throw InputError(tr("the host process compiled the program twice")); }
    result_.compiled =
        std::make_shared<const CompiledHost>(CompiledHost{half_, blocksOf(payload, message.objectBytes)});
  }
  void on(const host::Began&, const Payload&) {
    if (std::exchange(began_, true)) { throw InputError(tr("the host process began the program twice")); }
    result_.compileSeconds = std::chrono::duration<double>(process_->hostTime()).count();
    process_->limitRun(hostTime_);
  }
  void on(const host::Variable& message, const Payload& payload) {
    names_.check(message.symbol);
    if (payload.size() != message.bytes || memory_.all().size() >= kMaxVariables ||
        payload.size() > options_.budget.deviceBytes - std::min(options_.budget.deviceBytes, memory_.used())) {
      return reply(kInvalidValue);
    }
    memory_.addVariable(message.symbol, message.file, payload, message.constant);
    reply();
  }

  // Memory.

  void on(const host::Allocate& message, const Payload&) {
    names_.check(message.symbol);
    ProgramEvent& event = note(ProgramEvent::Kind::Allocate);
    if (failsAfterFault(event)) { return; }
    const std::uint64_t address = allocations_.allocate(message, event, result_.excess);
    reply(event.error, address);
  }
  void on(const host::Free& message, const Payload&) {
    ProgramEvent& event = note(ProgramEvent::Kind::Free);
    allocations_.free(message, event);
    if (failsAfterFault(event)) { return; }
    reply(event.error);
  }
  void on(const host::Copy& message, const Payload&) {
    ProgramEvent& event = note(ProgramEvent::Kind::Copy);
    copiedOnHost_ = memory_.find(message.destination) ? message.source : message.destination;
    // After a fault cudaMalloc fails too: a null pointer is no second mistake.
    if ((message.destination == 0 || message.source == 0) && failsAfterFault(event)) { return; }
    std::optional<std::variant<HostProcess::Received, HostProcess::Silence>> instead;  // of the rows asked for
    const auto hostRows = [&]() -> std::optional<Payload> {
      if (launches_.stickyError() != kSuccess) { return std::nullopt; }
      reply(kSuccess, host::kWantsRows);
      auto next = process_->receive(options_.stop);
      auto* received = std::get_if<HostProcess::Received>(&next);
      if (received != nullptr && std::holds_alternative<host::CopiedRows>(received->call.message)) {
        return std::move(received->payload);
      }
      instead = std::move(next);
      return std::nullopt;
    };
    std::vector<std::byte> rows = transfers_.copy(message, hostRows, event);
    if (instead) {
      if (const auto* received = std::get_if<HostProcess::Received>(&*instead);
          received != nullptr && std::holds_alternative<host::Copy>(received->call.message)) {
        throw InputError(tr("the host process sent a copy without its rows"));
      }
      return step(std::move(*instead));
    }
    if (failsAfterFault(event)) { return; }
    if (message.asynchronous && event.error == kSuccess) { shared_.beginCopy(event); }
    const std::array<std::span<const std::byte>, 1> parts{rows};
    reply(event.error, 0, {}, parts);
    if (event.source && event.bytes > 0) { launches_.leftBehind().copied(event.source->allocation); }
    if (!rows.empty()) { compared_.copiedBack(event.source->allocation, std::move(rows)); }
  }
  void on(const host::CopiedRows&, const Payload&) {
    throw InputError(tr("the host process sent rows without a copy"));
  }
  void on(const host::Fill& message, const Payload&) {
    ProgramEvent& event = note(ProgramEvent::Kind::Fill);
    if (message.address == 0 && failsAfterFault(event)) { return; }
    transfers_.fill(message, event);
    if (failsAfterFault(event)) { return; }
    reply(event.error);
  }
  void on(const host::SymbolCopy& message, const Payload& payload) {
    ProgramEvent& event = note(ProgramEvent::Kind::Symbol);
    const std::array<std::span<const std::byte>, 1> parts{transfers_.copySymbol(message, payload, event)};
    if (failsAfterFault(event)) { return; }
    reply(event.error, 0, {}, parts);
  }
  void on(const host::SymbolAddress& message, const Payload&) {
    const Allocation* variable = memory_.variable(message.symbol, message.file);
    reply(variable == nullptr ? kInvalidSymbol : kSuccess, variable == nullptr ? 0 : memory_.addressOf(variable->id));
  }

  // Launches.

  void on(const host::LaunchCall& message, const Payload&) {
    names_.check(message.kernel);
    if (std::string beyond = launches_.beyondBudget(); !beyond.empty()) {
      return end(ProgramEnd::TooLong, std::move(beyond));
    }
    ProgramEvent& event = note(ProgramEvent::Kind::Launch);
    const LaunchedKernel* kernel = launches_.begin(message, event);
    if (kernel == nullptr) { return reply(event.error); }
    const std::vector<std::uint64_t> sizes =
        kernel->program ? argumentSizes(*kernel->program) : std::vector<std::uint64_t>{};
    reply(kSuccess, 0, sizes);
    auto next = process_->receive(options_.stop);
    auto* received = std::get_if<HostProcess::Received>(&next);
    if (received == nullptr || !std::holds_alternative<host::LaunchArguments>(received->call.message)) {
      if (received != nullptr && std::holds_alternative<host::LaunchCall>(received->call.message)) {
        throw InputError(tr("the host process sent a launch without its arguments"));
      }
      return step(std::move(next));
    }
    const std::uint64_t bytes = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
    if (received->payload.size() < bytes) {
      throw InputError(tr("the host process sent fewer arguments than the kernel takes"));
    }
    const std::span<const std::byte> payload = received->payload;
    shared_.take(payload.subspan(bytes));
    if (kernel->program) { report(kernel->name); }
    launches_.execute(*kernel, payload.first(bytes));
    if (result_.kept) { end(ProgramEnd::Stopped, tr("The program was ended at the launch that was to be kept.")); }
    // A launch does not wait for its kernel, so it succeeds even if the kernel fails: later calls return the fault.
    SharedHostMemory::After after = shared_.after(result_.launches.back());
    process_->reply({.error = kSuccess, .value = 0, .list = std::move(after.uses), .sticky = false}, after.parts);
  }
  void on(const host::LaunchArguments&, const Payload&) {
    throw InputError(tr("the host process sent arguments without a launch"));
  }

  void on(const host::EarlyAccess& message, const Payload&) {
    const std::optional<DevicePlace> place = memory_.find(message.address);
    if (!place) { throw InputError(tr("the host process names memory that it has not allocated")); }
    find(HostFindingKind::MissingSynchronization, shared_.earlyAccess(place->allocation));
  }

  void on(const host::FileRefused& message, const Payload&) {
    names_.check(message.name);
    if (message.how > process::FileRefusal::TooOften) {
      throw InputError(tr("the host process sent an unknown kind of refusal"));
    }
    if (result_.refusedFiles.size() < kMaxRefusedFiles) {
      result_.refusedFiles.push_back({.name = message.name, .how = message.how, .at = at_});
    }
  }

  // Waiting, events, errors.

  void on(const host::Synchronize& message, const Payload&) {
    note(ProgramEvent::Kind::Synchronize);
    launches_.synchronized();
    if (message.what == host::Synchronize::What::Reset) { allocations_.freeAll(at_); }
    reply();
  }
  void on(const host::Create&, const Payload&) { reply(kSuccess, ++handles_); }
  void on(const host::Destroy&, const Payload&) { reply(); }
  void on(const host::RecordEvent& message, const Payload&) {
    note(ProgramEvent::Kind::Record);
    launches_.record(message.event);
    reply();
  }
  void on(const host::ElapsedTime& message, const Payload&) {
    const std::optional<double> nanoseconds = launches_.between(message.start, message.end);
    reply(nanoseconds ? kSuccess : kInvalidResourceHandle, static_cast<std::uint64_t>(nanoseconds.value_or(0)));
  }
  void on(const host::LastError&, const Payload&) {
    launches_.errorAskedFor();
    reply();
  }
  void on(const host::SetKernelAttribute& message, const Payload&) {
    names_.check(message.kernel);
    reply(launches_.setAttribute(message));
  }
  void on(const host::KernelProperty& message, const Payload&) {
    names_.check(message.kernel);
    reply(kSuccess, launches_.property(message));
  }

  // The end.

  void on(const host::FunctionCall& message, const Payload& payload) {
    if (OwnCall* call = compared_.returned(message, payload)) {
      call->function.at = placed(std::move(call->function.at));
    }
  }
  void on(const host::Returned& message, const Payload&) {
    // A function that is called again may call exit().
    if (compared_.asking()) { return end(ProgramEnd::Exited, {}); }
    result_.status = message.status;
    printedAtEnd_ = process_->printedBytes();
    const std::optional<OwnCheck> own = ownCheckIn(process_->output().text);
    askAgain(compared_.ended(result_.launches, own && own->passed));
  }
  void on(const host::CalledAgain& message, const Payload& payload) {
    printedByCalls_ = process_->printedBytes() - printedAtEnd_;
    askAgain(compared_.answered(message, payload));
  }
  void askAgain(const std::optional<OwnFunctions::Request>& request) {
    if (!request) { return process_->reply({}); }
    const std::vector<std::span<const std::byte>> parts(request->blocks.begin(), request->blocks.end());
    process_->reply({.error = kSuccess, .value = 0, .list = request->list, .sticky = false}, parts);
  }

  void on(const host::Ended& message, const Payload&) {
    if (!compared_.asking()) { result_.status = message.status; }
    end(ProgramEnd::Exited, {});
  }
  void on(const host::Unsupported& message, const Payload&) {
    if (compared_.asking()) { return end(ProgramEnd::Exited, {}); }
    end(ProgramEnd::Unsupported, trf("{} is not supported.", message.function));
  }
  void on(const host::Uncaught& message, const Payload&) {
    if (compared_.asking()) { return end(ProgramEnd::Exited, {}); }
    end(ProgramEnd::Uncaught, sentence(message));
  }
  void on(const host::Crashed& message, const Payload&) {
    if (compared_.asking()) { return end(ProgramEnd::Exited, {}); }
    std::string what = shortened(sentence(message, memory_.find(message.address).has_value()));
    const bool copies = message.inCall && !result_.events.empty() && result_.events.back().at == at_ &&
                        result_.events.back().kind == ProgramEvent::Kind::Copy;
    if (copies) { what = sentence(result_.events.back(), memory_, message, copiedOnHost_); }
    if (!message.freedBy.empty()) {
      find(HostFindingKind::InvalidFree, what);
    } else if (message.deviceAddress) {
      find(HostFindingKind::DevicePointer, "Host code reads or writes memory of the device through its pointer.");
    }
    end(ProgramEnd::Crashed, what);
  }
  void on(const host::Failed& message, const Payload&) { end(ProgramEnd::Failed, message.message); }

  void conclude() {
    // What functions that were called again have printed does not belong to the program's output.
    std::string& output = result_.output;
    if (printedAtEnd_ < output.size()) {
      output.erase(printedAtEnd_, compared_.asking() ? std::string::npos : printedByCalls_);
    }
    launches_.coverage().conclude(result_.launches);
    compared_.conclude(result_.launches);
    transfers_.elements().conclude(result_.launches);
    if (result_.end == ProgramEnd::Exited) { findAtExit(); }
    result_.findings = findings_.take();
    foldUnsetArrays(result_);
    for (const Allocation& one : memory_.all()) {
      Allocation kept = one;
      kept.bytes = {};
      result_.allocations.push_back(std::move(kept));
    }
    nameForgottenPitches(result_);
    addRepeatedLaunches(result_, start_.program);
  }

  void findAtExit() {
    launches_.findUnchecked();
    // Where a function that was called again has ended the program, the destructors of global objects have freed
    // nothing.
    const bool early = result_.status != 0 || launches_.stickyError() != kSuccess;  // it leaves at once
    if (!compared_.asking() && !early) { allocations_.findNeverFreed(); }
    if (result_.status == 0 && result_.excess == Excess::None && launches_.stickyError() == kSuccess) {
      launches_.leftBehind().find(result_.launches, memory_, findings_);
    }
  }

  const RunOptions& options_;
  const std::chrono::milliseconds hostTime_;
  host::HostStart start_;
  HostProcess* process_ = nullptr;
  DeviceMemory memory_;
  const HostHalf half_;
  ProgramRun result_;
  bool over_ = false, began_ = false;
  host::HostPlace at_;
  ClaimedNames names_;
  HostFindings findings_;
  AllocationCalls allocations_;
  Transfers transfers_;
  SharedHostMemory shared_;
  ComparedCalls compared_;
  LaunchCalls launches_;
  std::uint64_t handles_ = 0;
  std::uint64_t copiedOnHost_ = 0;                    ///< address of the host's memory in the last copy
  std::chrono::steady_clock::duration answering_{0};  ///< time for all else that calls take
  std::size_t printedAtEnd_ = 0, printedByCalls_ = 0;
};

}  // namespace

ProgramRun runAsItIs(const host::HostProgram& program, const RunOptions& options, bool survey) {
  return Conductor(program, options, survey).run();
}

}  // namespace haloscope::running
