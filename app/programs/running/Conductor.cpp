#include "running/Conductor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <map>
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
#include "running/ExchangedArrays.h"
#include "running/ForgottenPitch.h"
#include "running/HostFindings.h"
#include "running/HostProcess.h"
#include "running/LaunchBinding.h"
#include "running/LaunchCalls.h"
#include "running/RepeatedLaunches.h"
#include "running/RepeatedRun.h"
#include "running/SharedHostMemory.h"
#include "running/Transfers.h"
#include "running/UnsetArrays.h"
#include "running/UnwrittenCopies.h"

namespace haloscope::running {

namespace {

/// Of a processor: five large headers of the C++ library take two seconds.
constexpr std::chrono::seconds kCompileTime{30};
/// This process should find out that a program takes too long before the system ends it.
constexpr std::chrono::seconds kSpareTime{2};
// Of what a program does, and of what a process may claim that it does.
constexpr std::size_t kMaxEvents = 200'000;
constexpr std::size_t kMaxRefusedFiles = 1000;
constexpr std::size_t kMaxVariables = 4096;
constexpr std::size_t kMostProblems = 200;
constexpr std::uint64_t kMostObjectBytes = std::uint64_t{256} << 20;  ///< of a compiled program

/// The parent's side of a program: answers the host's calls one after the other.
class Conductor {
 public:
  Conductor(const host::HostProgram& program, const RunOptions& options, bool survey)
      : options_(options),
        hostTime_(survey ? std::min(options.budget.hostTime, options.budget.patience) : options.budget.hostTime),
        memory_(options.budget.deviceBytes,
                options.repeated ? options.repeated->unwritten : std::map<AllocationId, std::uint32_t>{}),
        half_(hostHalfOf(program)),
        names_(half_),
        allocations_(memory_, findings_, program, options),
        transfers_(memory_, findings_),
        repeated_(options.repeated, memory_),
        shared_(memory_),
        compared_(options.comparesOwnFunctions, options.budget.besideBytes / 2, options.stop),
        launches_(program, options, survey, memory_, findings_, compared_, result_) {
    start_ = {.program = program,
              .arguments = {program.files.front().name},
              .properties = options.device.properties,
              .deviceName = options.device.name,
              .objectBytes = {},
              .watchesCalls = options.comparesOwnFunctions,
              .repeatable = options.repeated.has_value(),
              .gathersArrays = options.repeated && options.repeated->gathersArrays,
              .notesComparisons = options.repeated && options.repeated->notesComparisons};
    devices_ = std::clamp(options.device.count == 0 ? devicesFor(program) : options.device.count, 1U, kMostDevices);
    start_.properties["deviceCount"] = devices_;
    for (const NamedFile& file : options.files) { start_.files.push_back(file.name); }
    start_.arguments.insert(start_.arguments.end(), options.arguments.begin(), options.arguments.end());
    if (options.compiled != nullptr && !start_.notesComparisons && options.compiled->half.text == half_.text) {
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

  /// The next blocks of what comes with the last message. None if they do not come.
  std::optional<std::vector<Payload>> blocks(const std::vector<std::uint64_t>& sizes) {
    std::vector<Payload> all;
    for (const std::uint64_t bytes : sizes) {
      if (!process_->takePayload(all.emplace_back(), bytes)) { return std::nullopt; }
    }
    return all;
  }

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
          return endTooLong();
      }
    }
    auto& received = std::get<HostProcess::Received>(next);
    at_ = placed(std::move(received.call.at));
    report();
    const auto began = std::chrono::steady_clock::now();
    const std::chrono::steady_clock::duration elsewhere = countedElsewhere();
    payloadBytes_ = received.payloadBytes;
    std::visit([&](auto& message) { on(message); }, received.call.message);
    if (!over_) { count(std::chrono::steady_clock::now() - began - (countedElsewhere() - elsewhere)); }
  }

  [[nodiscard]] host::HostPlace placed(host::HostPlace claimed) const {
    return names_.place(std::move(claimed), result_.compiled != nullptr ? result_.compiled->half : half_);
  }

  /// Time so far that is the host's, or that of launches. Within a launch the next call may be answered.
  [[nodiscard]] std::chrono::steady_clock::duration countedElsewhere() const {
    return process_->hostTime() + launches_.time();
  }

  /// Work for the host's calls is its time, too: filling memory, say, or reading the text of a kernel.
  void count(std::chrono::steady_clock::duration answering) {
    answering_ += answering;
    process_->addTime(answering);
    if (process_->isTooLong()) { endTooLong(); }
  }

  void endTooLong() {
    if (!began_) {
      return end(ProgramEnd::TooLong, trf("The host code was not compiled within {} s.", kCompileTime.count()));
    }
    exceed(Excess::HostTime);
    const double seconds = std::chrono::duration<double>(hostTime_).count();
    end(ProgramEnd::TooLong,
        2 * answering_ > process_->hostTime()
            ? trf("The program's calls, such as copies and fills of memory, took more than {:g} s.", seconds)
            : trf("The host code did not end within {:g} s, not counting the time that kernels took.", seconds));
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
    process_->reply(replyOf(error, value, std::move(list)), payload);
  }
  [[nodiscard]] host::HostReply replyOf(int error, std::uint64_t value = 0,
                                        std::vector<std::uint64_t> list = {}) const {
    const int sticky = launches_.stickyError();
    return {.error = sticky != kSuccess ? sticky : error,
            .value = value,
            .list = std::move(list),
            .sticky = sticky != kSuccess};
  }

  /// What the arrays hold after that is not what the program computes.
  void exceed(Excess what) {
    if (!leavesOut(result_.excess)) { result_.excess = what; }
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

  void on(const host::Rejected& message) {
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
  void on(const host::Compiled& message) {
    if (began_ || result_.compiled != nullptr) { throw InputError(tr("the host process compiled the program twice")); }
    if (payloadBytes_ > kMostObjectBytes) { throw InputError(tr("the host process sent objects that are too large")); }
    auto objects = blocks(message.objectBytes);
    if (objects) { result_.compiled = std::make_shared<const CompiledHost>(CompiledHost{half_, std::move(*objects)}); }
  }
  void on(const host::Began&) {
    if (std::exchange(began_, true)) { throw InputError(tr("the host process began the program twice")); }
    result_.compileSeconds = std::chrono::duration<double>(process_->hostTime()).count();
    process_->limitRun(hostTime_);
  }
  void on(const host::Variable& message) {
    names_.check(message.symbol);
    if (payloadBytes_ != message.bytes || memory_.all().size() >= kMaxVariables || payloadBytes_ > memory_.left()) {
      if (process_->skipPayload()) { reply(kInvalidValue); }
      return;
    }
    Payload initial;
    if (!process_->takePayload(initial, message.bytes)) { return; }
    memory_.addVariable(message.symbol, message.file, std::move(initial), message.constant);
    reply();
  }

  // Memory.

  void on(const host::Allocate& message) {
    names_.check(message.symbol);
    ProgramEvent& event = note(ProgramEvent::Kind::Allocate);
    if (failsAfterFault(event)) { return; }
    const std::uint64_t address = allocations_.allocate(message, event, result_.excess);
    if (event.destination) { memory_.at(event.destination->allocation).device = launches_.device(); }
    launches_.unordered().allocated(message, event);
    reply(event.error, address);
  }
  void on(const host::Free& message) {
    ProgramEvent& event = note(ProgramEvent::Kind::Free);
    allocations_.free(message, event);
    if (failsAfterFault(event)) { return; }
    launches_.unordered().freed(message, event);
    reply(event.error);
  }
  void on(const host::Copy& message) {
    ProgramEvent& event = note(ProgramEvent::Kind::Copy);
    copiedOnHost_ = memory_.find(message.destination) ? message.source : message.destination;
    // After a fault cudaMalloc fails too: a null pointer is no second mistake.
    if ((message.destination == 0 || message.source == 0) && failsAfterFault(event)) { return; }
    std::optional<std::variant<HostProcess::Received, HostProcess::Silence>> instead;  // of the rows asked for
    const auto ask = [&](std::uint64_t bytes) {
      if (launches_.stickyError() != kSuccess) { return false; }
      reply(kSuccess, host::kWantsRows);
      auto next = process_->receive(options_.stop);
      const auto* received = std::get_if<HostProcess::Received>(&next);
      if (received == nullptr || !std::holds_alternative<host::CopiedRows>(received->call.message)) {
        instead = std::move(next);
        return false;
      }
      if (received->payloadBytes != bytes) { throw InputError(tr("the host process sent other rows than it copies")); }
      return true;
    };
    DeviceRows rows =
        transfers_.copy(message,
                        {.ask = ask,
                         .take = [&](std::span<std::byte> part) { return process_->takePayload(part); },
                         .takeAll = [&](std::vector<std::byte>& bytes,
                                        std::uint64_t count) { return process_->takePayload(bytes, count); }},
                        event);
    if (instead) {
      if (const auto* received = std::get_if<HostProcess::Received>(&*instead);
          received != nullptr && std::holds_alternative<host::Copy>(received->call.message)) {
        throw InputError(tr("the host process sent a copy without its rows"));
      }
      return step(std::move(*instead));
    }
    if (failsAfterFault(event)) { return; }
    if (rows.bytes() > 0) { addUnwritten(result_.unwritten, message, event, memory_); }
    launches_.unordered().copied(message, event);
    rows = repeated_.rowsOf(std::move(rows), result_.events);
    process_->reply(replyOf(event.error), rows.bytes(), [sent = rows]() mutable { return sent.next(); });
    if (event.source && event.bytes > 0) { launches_.leftBehind().copied(event.source->allocation); }
    if (rows.bytes() > 0) { compared_.copiedBack(event.source->allocation, std::move(rows)); }
  }
  void on(const host::CopiedRows&) { throw InputError(tr("the host process sent rows without a copy")); }
  void on(const host::Fill& message) {
    ProgramEvent& event = note(ProgramEvent::Kind::Fill);
    if (message.address == 0 && failsAfterFault(event)) { return; }
    transfers_.fill(message, event);
    if (failsAfterFault(event)) { return; }
    launches_.unordered().filled(message, event);
    reply(event.error);
  }
  void on(const host::SymbolCopy& message) {
    ProgramEvent& event = note(ProgramEvent::Kind::Symbol);
    const std::array<std::span<const std::byte>, 1> parts{
        transfers_.copySymbol(message, [&](std::span<std::byte> part) { return process_->takePayload(part); }, event)};
    // Of a copy that is refused.
    if (!process_->skipPayload() || failsAfterFault(event)) { return; }
    launches_.unordered().copied(message, event);
    reply(event.error, 0, {}, parts);
  }
  void on(const host::SymbolAddress& message) {
    const Allocation* variable = memory_.variable(message.symbol, message.file);
    reply(variable == nullptr ? kInvalidSymbol : kSuccess, variable == nullptr ? 0 : memory_.addressOf(variable->id));
  }

  // Launches.

  void on(const host::LaunchCall& message) {
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
    Payload arguments(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}));
    // The host may have memory that is no longer known here, after cudaDeviceReset().
    if (!process_->takePayload(arguments) || !shared_.take(*process_) || !process_->skipPayload()) { return; }
    if (kernel->program) { report(kernel->name); }
    launches_.execute(*kernel, arguments);
    repeated_.launched(result_.launches.back(), result_.events.size());
    if (result_.kept) { end(ProgramEnd::Stopped, tr("The program was ended at the launch that was to be kept.")); }
    // A launch does not wait for its kernel, so it succeeds even if the kernel fails: later calls return the fault.
    SharedHostMemory::After after = shared_.after(result_.launches.back());
    const GivenArray* const given = repeated_.given(result_.events.size());
    if (given != nullptr) { after.parts.emplace_back(repeated_.givenBytes()); }
    process_->reply({.error = kSuccess,
                     .value = 0,
                     .list = std::move(after.uses),
                     .sticky = false,
                     .given = given == nullptr ? 0 : given->to + 1},
                    after.parts);
  }
  void on(const host::LaunchArguments&) { throw InputError(tr("the host process sent arguments without a launch")); }

  void on(const host::EarlyAccess& message) {
    const std::optional<DevicePlace> place = memory_.find(message.address);
    if (!place) { throw InputError(tr("the host process names memory that it has not allocated")); }
    launches_.unordered().accessed(*place, message, at_);
  }

  void on(const host::FileRefused& message) {
    names_.check(message.name);
    if (message.how > process::FileRefusal::Made) {
      throw InputError(tr("the host process sent an unknown kind of refusal"));
    }
    if (result_.refusedFiles.size() < kMaxRefusedFiles) {
      result_.refusedFiles.push_back({.name = message.name, .how = message.how, .at = at_});
    }
  }

  void on(const host::CaptureBroken& message) {
    find(HostFindingKind::BrokenCapture,
         message.waits
             ? tr("This waits for a stream that is captured, whose work runs only when its graph is launched: "
                  "the call fails, and the capture ends without a graph.")
             : tr("This uses the default stream, which waits for a stream that is captured: the call fails, "
                  "and the capture ends without a graph. Give it the captured stream, or make that one with "
                  "cudaStreamNonBlocking."));
  }

  // Waiting, events, errors.

  void on(const host::Synchronize& message) {
    note(ProgramEvent::Kind::Synchronize);
    launches_.synchronized();
    launches_.unordered().synchronized(message);
    if (message.what == host::Synchronize::What::Reset) { allocations_.freeAll(at_); }
    reply(kSuccess, 0, launches_.unordered().stillUsed());
  }
  void on(const host::Create& message) {
    launches_.unordered().created(message, ++handles_);
    reply(kSuccess, handles_);
  }
  void on(const host::Destroy& message) {
    launches_.unordered().destroyed(message);
    reply();
  }
  void on(const host::RecordEvent& message) {
    if (!message.ofLibrary) {
      note(ProgramEvent::Kind::Record);
      launches_.record(message.event);
    }
    launches_.unordered().recorded(message);
    reply();
  }
  void on(const host::WaitEvent& message) {
    launches_.unordered().waits(message);
    reply();
  }
  void on(const host::UseDevice& message) {
    if (message.device >= devices_) { throw InputError(tr("the host process uses a GPU that it was not given")); }
    launches_.useDevice(message.device);
  }
  void on(const host::EnablePeer& message) {
    if (message.device >= devices_) { throw InputError(tr("the host process uses a GPU that it was not given")); }
    launches_.enablePeer(message.device);
  }
  void on(const host::ElapsedTime& message) {
    const std::optional<double> nanoseconds = launches_.between(message.start, message.end);
    reply(nanoseconds ? kSuccess : kInvalidResourceHandle, static_cast<std::uint64_t>(nanoseconds.value_or(0)));
  }
  void on(const host::LastError&) {
    launches_.errorAskedFor();
    reply();
  }
  void on(const host::SetKernelAttribute& message) {
    names_.check(message.kernel);
    reply(launches_.setAttribute(message));
  }
  void on(const host::KernelProperty& message) {
    names_.check(message.kernel);
    reply(kSuccess, launches_.property(message));
  }

  // The end.

  void on(const host::FunctionCall& message) {
    if (!compared_.takes(payloadBytes_)) {
      static_cast<void>(process_->skipPayload());
      return;
    }
    auto before = blocks(message.before);
    auto after = blocks(message.after);
    if (!before || !after) { return; }
    OwnCall& call = compared_.returned(message, std::move(*before), std::move(*after));
    call.function.at = placed(std::move(call.function.at));
  }
  void on(const host::Returned& message) {
    // A function that is called again may call exit().
    if (compared_.asking()) { return end(ProgramEnd::Exited, {}); }
    result_.status = message.status;
    printedAtEnd_ = process_->printedBytes();
    askAgain(compared_.ended(result_.launches, message.unchanged));
  }
  void on(const host::CalledAgain& message) {
    printedByCalls_ = process_->printedBytes() - printedAtEnd_;
    if (payloadBytes_ > options_.budget.besideBytes / 4) {
      throw InputError(tr("the host process sent a result that is too large"));
    }
    if (auto changed = blocks(message.blocks)) { askAgain(compared_.answered(std::move(*changed))); }
  }
  void askAgain(const std::optional<OwnFunctions::Request>& request) {
    if (!request) { return process_->reply({}); }
    const std::vector<std::span<const std::byte>> parts(request->blocks.begin(), request->blocks.end());
    process_->reply({.error = kSuccess, .value = 0, .list = request->list, .sticky = false}, parts);
  }

  void on(const host::GatheredArrays& message) {
    if (!start_.gathersArrays || !result_.hostArrays.empty() || payloadBytes_ > options_.budget.besideBytes / 4) {
      throw InputError(tr("the host process sent arrays that were not asked for"));
    }
    if (auto arrays = blocks(message.bytes)) { result_.hostArrays = std::move(*arrays); }
  }
  void on(const host::ComparedArrays& message) {
    if (!start_.notesComparisons || !result_.comparedArrays.empty() ||
        payloadBytes_ > options_.budget.besideBytes / 4) {
      throw InputError(tr("the host process sent arrays that were not asked for"));
    }
    if (auto arrays = blocks(message.bytes)) { result_.comparedArrays = std::move(*arrays); }
  }
  void on(const host::Ended& message) {
    if (!compared_.asking()) { result_.status = message.status; }
    end(ProgramEnd::Exited, {});
  }
  void on(const host::Unsupported& message) {
    if (compared_.asking()) { return end(ProgramEnd::Exited, {}); }
    end(ProgramEnd::Unsupported, trf("{} is not supported.", message.function));
  }
  bool endsForWantOfInput(std::uint32_t missedArgument, bool followsNull) {
    std::string why = wantedInput(start_.arguments, missedArgument, result_.refusedFiles, followsNull);
    if (why.empty()) { return false; }
    end(ProgramEnd::LacksInput, std::move(why));
    return true;
  }
  void on(const host::Uncaught& message) {
    if (compared_.asking()) { return end(ProgramEnd::Exited, {}); }
    if (endsForWantOfInput(message.missedArgument, false)) { return; }
    end(ProgramEnd::Uncaught, sentence(message));
  }
  void on(const host::Crashed& message) {
    if (compared_.asking()) { return end(ProgramEnd::Exited, {}); }
    constexpr std::uint64_t kPage = 4096;
    const bool followsNull = message.signal == SIGSEGV && !message.deviceAddress && message.address < kPage;
    if ((followsNull || (message.signal == SIGABRT && message.freedBy.empty())) && !message.inCall &&
        endsForWantOfInput(message.missedArgument, followsNull)) {
      return;
    }
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
  void on(const host::Failed& message) { end(ProgramEnd::Failed, message.message); }

  void conclude() {
    // What functions that were called again have printed does not belong to the program's output.
    std::string& output = result_.output;
    if (printedAtEnd_ < output.size()) {
      output.erase(printedAtEnd_, compared_.asking() ? std::string::npos : printedByCalls_);
    }
    launches_.coverage().conclude(result_.launches);
    launches_.constants().conclude(result_.launches, result_.events);
    compared_.conclude(result_.launches, findings_);
    transfers_.elements().conclude(result_.launches);
    std::string wanted = result_.end == ProgramEnd::Exited ? wantedSizes(result_, start_.arguments) : std::string();
    if (!wanted.empty()) { end(ProgramEnd::LacksInput, std::move(wanted)); }
    if (result_.end == ProgramEnd::Exited) { findAtExit(); }
    result_.findings = findings_.take();
    if (result_.end == ProgramEnd::LacksInput) { eraseFailedCalls(result_); }
    foldUnsetArrays(result_);
    result_.allocations = memory_.takeNames();
    nameForgottenPitches(result_);
    addRepeatedLaunches(result_, start_.program);
    findExchangedArrays(result_);
  }

  void findAtExit() {
    launches_.findUnchecked();
    // Where a function that was called again has ended the program, the destructors of global objects have freed
    // nothing.
    const bool early = result_.status != 0 || launches_.stickyError() != kSuccess;  // it leaves at once
    if (!compared_.asking() && !early) { allocations_.findNeverFreed(); }
    // One that a call has failed may have left before its last copy.
    const bool failed = std::ranges::any_of(result_.events, [](const ProgramEvent& one) { return one.error != 0; });
    if (!failed && !leavesOut(result_.excess) && launches_.stickyError() == kSuccess) {
      launches_.leftBehind().find(result_.launches, memory_, findings_);
    }
  }

  const RunOptions& options_;
  const std::chrono::milliseconds hostTime_;
  host::HostStart start_;
  std::uint32_t devices_ = 1;  ///< GPUs that the program sees
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
  RepeatedRun repeated_;
  SharedHostMemory shared_;
  ComparedCalls compared_;
  LaunchCalls launches_;
  std::uint64_t payloadBytes_ = 0;  ///< of the last message
  std::uint64_t handles_ = 0xf;     ///< the last of a stream or an event; small ones are cudaStreamLegacy and its like
  std::uint64_t copiedOnHost_ = 0;  ///< address of the host's memory in the last copy
  std::chrono::steady_clock::duration answering_{0};  ///< time for all else that calls take, of the host's
  std::size_t printedAtEnd_ = 0, printedByCalls_ = 0;
};

}  // namespace

ProgramRun runAsItIs(const host::HostProgram& program, const RunOptions& options, bool survey) {
  return Conductor(program, options, survey).run();
}

}  // namespace haloscope::running
