#include "running/ProgramRun.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <set>
#include <utility>
#include <variant>

#include "program/Half.h"
#include "program/SourceLocation.h"
#include "running/AllocationNames.h"
#include "running/HostProcess.h"
#include "running/KernelTexts.h"
#include "running/LaunchBinding.h"
#include "running/LaunchExecution.h"
#include "running/OwnCheck.h"
#include "running/OwnFunction.h"

namespace haloscope::running {

namespace {

// cudaError_t
constexpr int kSuccess = 0, kInvalidValue = 1, kMemoryAllocation = 2, kInvalidConfiguration = 9, kInvalidSymbol = 13;
constexpr int kCooperativeLaunchTooLarge = 720;
constexpr int kIllegalAddress = 700, kLaunchTimeout = 702;
// cudaFuncAttribute
constexpr int kMaxDynamicSharedBytes = 8;

/// Of a processor: a minute's worth of templates is enough.
constexpr std::chrono::seconds kCompileTime{60};
/// This process should find out that a program takes too long before the system ends it.
constexpr std::chrono::seconds kSpareTime{2};
// Of what a program does, and of what a process may claim that it does.
constexpr std::size_t kMaxEvents = 200'000;
constexpr std::size_t kMaxLaunches = 100'000;
constexpr std::size_t kMaxFindings = 1000;
constexpr std::size_t kMaxSkipped = 1000;  ///< of a survey
constexpr std::size_t kMaxVariables = 4096;
constexpr std::size_t kMaxHostBlocks = 10'000;
constexpr std::size_t kMaxNameBytes = 64 << 10;
// For the comparison with the program's own functions.
constexpr std::size_t kMostCalls = 64;
constexpr std::size_t kMostCompared = 32;
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{1} << 30;

std::string sizes(const std::array<std::uint32_t, 3>& of) { return fmt::format("{}×{}×{}", of[0], of[1], of[2]); }

std::string bytesText(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string placeText(const host::HostPlace& at) {
  return at.line == 0 ? std::string("an unknown place") : fmt::format("line {}", at.line);
}

/// Rows of an allocation as one range: what a copy or a fill touches from its first byte to its last.
std::uint64_t extentOf(std::uint64_t pitch, std::uint64_t width, std::uint64_t height) {
  return height == 0 ? 0 : (height - 1) * pitch + width;
}

/// Whether the range of some rows can be computed at all, and is at least as large as what is in it.
bool plausible(std::uint64_t pitch, std::uint64_t width, std::uint64_t height) {
  constexpr std::uint64_t kMax = std::uint64_t{1} << 40;
  if (width == 0 || height == 0) { return pitch < kMax; }
  return (pitch >= width || height == 1) && pitch < kMax && width < kMax && height < kMax &&
         (height == 0 || (pitch + width) < kMax / height);
}

std::string valueText(const Parameter& parameter, std::uint64_t bits) {
  switch (parameter.type) {
    case ValueType::F32: {
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return fmt::format("{}", value);
    }
    case ValueType::F16:
      return fmt::format("{}", halfValue(static_cast<std::uint16_t>(bits)));
    case ValueType::F64: {
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return fmt::format("{}", value);
    }
    case ValueType::I8:
      return fmt::format("{}", static_cast<std::int8_t>(bits));
    case ValueType::I16:
      return fmt::format("{}", static_cast<std::int16_t>(bits));
    case ValueType::I32:
      return fmt::format("{}", static_cast<std::int32_t>(bits));
    case ValueType::I64:
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    default:
      return fmt::format("{}", bits);
  }
}

/// What a launch is the same as another in: kernel, configuration, and which parameters share an array.
std::string shapeOf(const ProgramLaunch& launch) {
  std::string shape =
      fmt::format("{} {} {} {} {}", launch.symbol, text(launch.configuration.grid), text(launch.configuration.block),
                  launch.configuration.dynamicSharedBytes, launch.configuration.cooperative);
  std::vector<AllocationId> seen;
  for (const LaunchPointer& pointer : launch.pointers) {
    if (!pointer.place) {
      shape += " -";
      continue;
    }
    const auto known = std::ranges::find(seen, pointer.place->allocation);
    shape += fmt::format(" {}+{}", known - seen.begin(), pointer.place->offset);
    if (known == seen.end()) { seen.push_back(pointer.place->allocation); }
  }
  return shape;
}

/// The parent's side of a program: answers the host's calls one after the other.
class Conductor {
 public:
  Conductor(const host::HostProgram& program, const RunOptions& options, bool survey)
      : options_(options),
        survey_(survey),
        hostTime_(survey ? std::min(options.budget.hostTime, options.budget.patience) : options.budget.hostTime),
        kernelTime_(survey ? std::min(options.budget.kernelTime, options.budget.patience) : options.budget.kernelTime),
        memory_(options.budget.deviceBytes),
        places_(program),
        kernels_(program),
        half_(hostHalfOf(program)),
        instructionsLeft_(options.budget.warpInstructions) {
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
         .files = options_.files});
    process_ = &process;
    try {
      while (!over_) { step(process.receive(options_.stop)); }
    } catch (const InputError& forged) { end(ProgramEnd::Failed, forged.what()); } catch (const std::bad_alloc&) {
      end(ProgramEnd::Failed, "There is not enough memory to execute this program.");
    }
    process.finishOutput();
    HostProcess::Output output = process.output();
    result_.output = std::move(output.text);
    result_.outputLeftOut = output.leftOut;
    result_.hostSeconds = static_cast<double>(process.hostTime().count()) / 1000 - result_.compileSeconds;
    conclude();
    return std::move(result_);
  }

 private:
  using Payload = std::vector<std::byte>;

  void step(std::variant<HostProcess::Received, HostProcess::Silence> next) {
    if (const auto* silence = std::get_if<HostProcess::Silence>(&next)) {
      // The program itself has ended; a function of it that was called again has not.
      if (asking_ && *silence != HostProcess::Silence::Stopped) { return end(ProgramEnd::Exited, {}); }
      switch (*silence) {
        case HostProcess::Silence::Stopped:
          return end(ProgramEnd::Stopped, "The program was stopped.");
        case HostProcess::Silence::Ended:
          if (const std::string how = process_->end(); !process_->usedUpItsTime()) {
            return end(ProgramEnd::Crashed, "The program's process " + how + ".");
          }
          [[fallthrough]];
        case HostProcess::Silence::TooLong:
          exceed(Excess::HostTime);
          return end(ProgramEnd::TooLong,
                     fmt::format("The host code did not end within {} s, not counting the time that kernels took.",
                                 hostTime_.count() / 1000));
      }
    }
    auto& received = std::get<HostProcess::Received>(next);
    at_ = std::move(received.call.at);
    if (result_.compiled != nullptr) { at_ = placeIn(half_, result_.compiled->half, std::move(at_)); }
    checkName(at_.file);
    report();
    std::visit([&](auto& message) { on(message, received.payload); }, received.call.message);
  }

  void report(const std::string& kernel = {}) {
    if (!options_.progress) { return; }
    options_.progress({.compiled = began_,
                       .calls = result_.events.size(),
                       .launches = result_.launches.size(),
                       .at = at_,
                       .kernel = kernel});
  }

  static void checkName(const std::string& name) {
    if (name.size() > kMaxNameBytes) { throw InputError("the host process sent a name that is no name"); }
  }

  void end(ProgramEnd how, std::string message) {
    result_.end = how;
    result_.message = std::move(message);
    result_.endedAt = at_;
    over_ = true;
  }

  void reply(int error = kSuccess, std::uint64_t value = 0, std::vector<std::uint64_t> list = {},
             std::span<const std::span<const std::byte>> payload = {}) {
    if (stickyError_ != kSuccess) { error = stickyError_; }
    process_->reply({.error = error, .value = value, .list = std::move(list), .sticky = stickyError_ != kSuccess},
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

  void find(HostFindingKind kind, std::string message) { findAt(kind, at_, std::move(message)); }
  void findAt(HostFindingKind kind, const host::HostPlace& at, std::string message) {
    const auto same = [&](const HostFinding& one) { return one.kind == kind && one.at == at; };
    const auto known = std::ranges::find_if(result_.findings, same);
    if (known != result_.findings.end()) {
      ++known->occurrences;
    } else if (result_.findings.size() < kMaxFindings) {
      result_.findings.push_back({.kind = kind, .at = at, .message = std::move(message)});
    }
  }

  /// Whether the GPU that the program sees would have this much memory left.
  [[nodiscard]] bool isOnDevice(std::uint64_t bytes) const {
    const auto known = options_.device.properties.find("totalGlobalMem");
    return known != options_.device.properties.end() &&
           bytes + memory_.used() <= static_cast<std::uint64_t>(std::max<std::int64_t>(0, known->second));
  }

  // Before main().

  void on(const host::Rejected& message, const Payload&) {
    result_.problems = message.problems;
    const bool noMain = message.lacksMain;
    end(noMain ? ProgramEnd::NoMain : ProgramEnd::Rejected,
        noMain ? "The program has no main()." : "The host code cannot be compiled.");
    if (!noMain && !result_.problems.empty()) { result_.endedAt = result_.problems.front().where; }
  }
  void on(const host::Compiled& message, Payload& payload) {
    if (began_ || result_.compiled != nullptr) { throw InputError("the host process compiled the program twice"); }
    auto compiled = std::make_shared<CompiledHost>(CompiledHost{half_, {}});
    std::size_t at = 0;
    for (const std::uint64_t bytes : message.objectBytes) {
      if (bytes > payload.size() - at) { throw InputError("the host process sent fewer bytes than it said"); }
      compiled->objects.emplace_back(payload.begin() + static_cast<std::ptrdiff_t>(at),
                                     payload.begin() + static_cast<std::ptrdiff_t>(at + bytes));
      at += bytes;
    }
    result_.compiled = std::move(compiled);
  }
  void on(const host::Began&, const Payload&) {
    if (std::exchange(began_, true)) { throw InputError("the host process began the program twice"); }
    result_.compileSeconds = static_cast<double>(process_->hostTime().count()) / 1000;
    process_->limitRun(hostTime_);
  }
  void on(const host::Variable& message, const Payload& payload) {
    checkName(message.symbol);
    if (payload.size() != message.bytes || memory_.all().size() >= kMaxVariables ||
        payload.size() > options_.budget.deviceBytes - std::min(options_.budget.deviceBytes, memory_.used())) {
      return reply(kInvalidValue);
    }
    memory_.addVariable(message.symbol, message.file, payload, message.constant);
    reply();
  }

  // Memory.

  void on(const host::Allocate& message, const Payload&) {
    ProgramEvent& event = note(ProgramEvent::Kind::Allocate);
    event.bytes = message.bytes;
    event.error = stickyError_;
    if (stickyError_ != kSuccess) { return reply(); }
    if (message.memory == host::HostMemory::Device) {
      if (message.bytes == 0) { return reply(); }
      const std::optional<std::uint64_t> address = memory_.allocate(message.bytes, at_);
      event.error = address ? kSuccess : kMemoryAllocation;
      if (!address && isOnDevice(message.bytes)) { exceed(Excess::DeviceMemory); }
      if (address) {
        event.destination = memory_.find(*address);
        memory_.at(event.destination->allocation).label = places_.next(at_);
      }
      return reply(event.error, address.value_or(0));
    }
    if (message.bytes > options_.budget.hostBytes - std::min(options_.budget.hostBytes, memory_.used()) ||
        message.address == 0 || message.address >> 47 != 0 || memory_.all().size() >= kMaxHostBlocks) {
      event.error = kMemoryAllocation;
      return reply(kMemoryAllocation);
    }
    checkName(message.symbol);
    Allocation& one = memory_.addHostMemory(message.address, message.bytes, message.memory, at_);
    one.name = message.symbol;
    one.file = message.file;
    one.label = places_.next(at_);
    event.destination = DevicePlace{one.id, 0};
    reply();
  }

  void on(const host::Free& message, const Payload&) {
    ProgramEvent& event = note(ProgramEvent::Kind::Free);
    const std::optional<DevicePlace> place = memory_.find(message.address);
    event.source = place;
    if (!place || place->offset != 0) {
      event.error = kInvalidValue;
      find(HostFindingKind::InvalidFree,
           place ? fmt::format("{} is given an address {} past the start of its memory.",
                               message.host ? "cudaFreeHost" : "cudaFree",
                               bytesText(static_cast<std::uint64_t>(std::max<std::int64_t>(0, place->offset))))
                 : fmt::format("{} is given an address that no allocation returned.",
                               message.host ? "cudaFreeHost" : "cudaFree"));
      return reply(kInvalidValue);
    }
    const Allocation& one = memory_.at(place->allocation);
    if (one.freed) {
      event.error = kInvalidValue;
      find(HostFindingKind::FreedTwice, fmt::format("This memory was freed at {} already.", placeText(one.freedAt)));
      return reply(kInvalidValue);
    }
    if (!one.name.empty() || message.host != (one.memory == host::HostMemory::PageLocked)) {
      event.error = kInvalidValue;
      find(HostFindingKind::InvalidFree, message.host
                                             ? "cudaFreeHost is given memory that cudaMallocHost did not allocate."
                                             : "cudaFree is given memory that cudaMalloc did not allocate.");
      return reply(kInvalidValue);
    }
    memory_.free(place->allocation, at_);
    reply();
  }

  /// Whether an allocation is too small by a factor that is the size of an element: the mistake is where it was made.
  bool isTooSmallByElements(const Allocation& one, const DevicePlace& place, std::uint64_t extent) {
    if (place.offset != 0 || !one.name.empty() || one.bytes.empty()) { return false; }
    for (const std::uint64_t element : {4U, 8U}) {
      if (extent != element * one.bytes.size()) { continue; }
      findAt(HostFindingKind::ElementsAsBytes, one.allocatedAt,
             fmt::format("Allocates {} of memory for what has {}: the size is in bytes, and this is the number of "
                         "elements of {} bytes.",
                         bytesText(one.bytes.size()), bytesText(extent), element));
      tooSmall_.insert(one.id);
      return true;
    }
    return false;
  }

  /// What kernels do outside such memory is no mistake of theirs.
  void excuseKernels() {
    for (ProgramLaunch& launch : result_.launches) {
      launch.lacksMemory = std::ranges::any_of(launch.pointers, [&](const LaunchPointer& pointer) {
        return pointer.place && tooSmall_.contains(pointer.place->allocation);
      });
      if (!launch.lacksMemory) { continue; }
      std::erase_if(launch.findings, [](const analysis::Finding& one) {
        return one.kind == analysis::FindingKind::OutOfBounds || one.kind == analysis::FindingKind::Uninitialized ||
               one.kind == analysis::FindingKind::WrongResult;
      });
    }
  }

  /// The bytes of an allocation that a copy or a fill touches, or null after a finding. `verb`, `where`: "Copies", "to
  /// ".
  std::byte* touched(const DevicePlace& place, std::uint64_t extent, const char* verb, const char* where) {
    Allocation& one = memory_.at(place.allocation);
    if (one.freed) {
      find(HostFindingKind::UsedAfterFree,
           fmt::format("{} {}memory that was freed at {}.", verb, where, placeText(one.freedAt)));
      return nullptr;
    }
    const auto size = static_cast<std::int64_t>(one.bytes.size());
    if (place.offset < 0 || place.offset > size || extent > static_cast<std::uint64_t>(size - place.offset)) {
      if (isTooSmallByElements(one, place, extent)) { return nullptr; }
      const std::string behind =
          place.offset == 0
              ? ""
              : fmt::format(", from {} past its start",
                            bytesText(static_cast<std::uint64_t>(std::max<std::int64_t>(0, place.offset))));
      find(HostFindingKind::CopySize,
           fmt::format("{} {} {}memory that has {}{}; it was allocated at {}.", verb, bytesText(extent),
                       *where == 0 ? "of " : where, bytesText(one.bytes.size()), behind, placeText(one.allocatedAt)));
      return nullptr;
    }
    return one.bytes.data() + place.offset;
  }

  /// A copy of fewer bytes than the array has, by a factor that is the size of an element.
  void lookForElements(const DevicePlace& place, std::uint64_t bytes) {
    const Allocation& one = memory_.at(place.allocation);
    if (place.offset != 0 || bytes == 0) { return; }
    for (const std::uint64_t element : {4U, 8U}) {
      if (bytes * element == one.bytes.size() && bytes > element) {
        find(HostFindingKind::ElementsAsBytes, fmt::format("Copies {} of memory that has {}: the size is in bytes, and "
                                                           "this is the number of elements of {} bytes.",
                                                           bytesText(bytes), bytesText(one.bytes.size()), element));
      }
    }
  }

  void on(const host::Copy& message, const Payload& payload) {
    ProgramEvent& event = note(ProgramEvent::Kind::Copy);
    const auto fail = [&] {
      result_.events.back().error = kInvalidValue;
      reply(kInvalidValue);
    };
    if (!plausible(message.destinationPitch, message.width, message.height) ||
        !plausible(message.sourcePitch, message.width, message.height)) {
      find(HostFindingKind::CopySize,
           "The size of this copy is no size of memory: a negative number, or one that was not set.");
      return fail();
    }
    const std::optional<DevicePlace> to = memory_.find(message.destination);
    const std::optional<DevicePlace> from = memory_.find(message.source);
    event.destination = to;
    event.source = from;
    event.bytes = message.width * message.height;
    // The child takes an address for the device's by its value alone.
    const bool toDevice = message.destination >> 47 != 0;
    const bool fromDevice = message.source >> 47 != 0;
    if ((toDevice && !to) || (fromDevice && !from)) {
      find(HostFindingKind::CopySize, "Copies from or to an address that no allocation returned.");
      return fail();
    }
    if (message.destination == 0 || message.source == 0) {
      if (event.bytes == 0) { return reply(); }
      find(HostFindingKind::CopySize,
           fmt::format("Copies {} a null pointer.", message.destination == 0 ? "to" : "from"));
      return fail();
    }
    if (!directionFits(message.kind, to, from)) { return fail(); }
    if (event.bytes == 0) { return reply(); }
    std::byte* target = nullptr;
    const std::byte* origin = nullptr;
    if (toDevice &&
        (target = touched(*to, extentOf(message.destinationPitch, message.width, message.height), "Copies", "to ")) ==
            nullptr &&
        event.bytes > 0) {
      return fail();
    }
    if (fromDevice &&
        (origin = touched(*from, extentOf(message.sourcePitch, message.width, message.height), "Copies", "from ")) ==
            nullptr &&
        event.bytes > 0) {
      return fail();
    }
    for (const std::optional<DevicePlace>& place : {to, from}) {
      if (message.asynchronous && place) {
        busyWith_[place->allocation] = fmt::format("the copy at {}", placeText(at_));
      }
    }
    if (toDevice && message.height == 1) { lookForElements(*to, message.width); }
    if (fromDevice && message.height == 1 && !toDevice) { lookForElements(*from, message.width); }
    if (toDevice) {
      if (!fromDevice && payload.size() != event.bytes) {
        throw InputError("the host process sent fewer bytes than it copies");
      }
      for (std::uint64_t y = 0; y < message.height; ++y) {
        const std::byte* const row = fromDevice ? origin + y * message.sourcePitch : payload.data() + y * message.width;
        std::memmove(target + y * message.destinationPitch, row, message.width);
      }
      return reply();
    }
    if (!fromDevice) { return reply(); }
    std::vector<std::byte> rows(event.bytes);
    for (std::uint64_t y = 0; y < message.height; ++y) {
      std::memcpy(rows.data() + y * message.width, origin + y * message.sourcePitch, message.width);
    }
    const std::array<std::span<const std::byte>, 1> parts{rows};
    reply(kSuccess, 0, {}, parts);
    const auto writer = lastWriter_.find(from->allocation);
    if (options_.comparesOwnFunctions && writer != lastWriter_.end()) { keepCopied(writer->second, std::move(rows)); }
  }

  /// Of each kernel the last rows that were copied back, up to a limit for all together.
  void keepCopied(const std::string& symbol, std::vector<std::byte> rows) {
    std::vector<std::byte>& kept = copied_[symbol];
    copiedBytes_ -= kept.size();
    kept = copiedBytes_ + rows.size() <= kMostCopiedBytes ? std::move(rows) : std::vector<std::byte>();
    copiedBytes_ += kept.size();
  }

  bool directionFits(host::CopyKind kind, const std::optional<DevicePlace>& to,
                     const std::optional<DevicePlace>& from) {
    const auto isHost = [&](const std::optional<DevicePlace>& place) {
      return !place || memory_.at(place->allocation).hostAddress != 0;
    };
    const auto onDevice = [&](const std::optional<DevicePlace>& place) {
      return place && memory_.at(place->allocation).memory != host::HostMemory::PageLocked;
    };
    struct Direction {
      bool toDevice, fromDevice;
      const char* name;
    };
    static constexpr std::array<Direction, 4> kDirections{{{false, false, "cudaMemcpyHostToHost"},
                                                           {true, false, "cudaMemcpyHostToDevice"},
                                                           {false, true, "cudaMemcpyDeviceToHost"},
                                                           {true, true, "cudaMemcpyDeviceToDevice"}}};
    if (kind == host::CopyKind::Default) { return true; }
    if (static_cast<std::size_t>(kind) >= kDirections.size()) { return false; }
    const Direction& stated = kDirections[static_cast<std::size_t>(kind)];
    const bool fits =
        (stated.toDevice ? onDevice(to) : isHost(to)) && (stated.fromDevice ? onDevice(from) : isHost(from));
    if (!fits) {
      const auto whose = [&](const std::optional<DevicePlace>& place) {
        return isHost(place) ? "the host" : "the device";
      };
      find(HostFindingKind::CopyDirection,
           fmt::format("The direction is {}, but the copy is from {} to {}.", stated.name, whose(from), whose(to)));
    }
    return fits;
  }

  void on(const host::Fill& message, const Payload&) {
    ProgramEvent& event = note(ProgramEvent::Kind::Fill);
    event.destination = memory_.find(message.address);
    event.bytes = message.width * message.height;
    event.error = kInvalidValue;
    if (!event.destination || !plausible(message.pitch, message.width, message.height)) {
      find(HostFindingKind::CopySize, "Fills memory at an address that no allocation returned.");
      return reply(kInvalidValue);
    }
    if (event.bytes == 0) {
      event.error = kSuccess;
      return reply();
    }
    std::byte* const target =
        touched(*event.destination, extentOf(message.pitch, message.width, message.height), "Fills", "");
    if (target == nullptr) { return reply(kInvalidValue); }
    for (std::uint64_t y = 0; y < message.height; ++y) {
      std::memset(target + y * message.pitch, message.value, message.width);
    }
    event.error = kSuccess;
    reply();
  }

  void on(const host::SymbolCopy& message, const Payload& payload) {
    ProgramEvent& event = note(ProgramEvent::Kind::Symbol);
    event.bytes = message.bytes;
    const Allocation* variable = memory_.variable(message.symbol, message.file);
    event.error = variable == nullptr ? kInvalidSymbol : kInvalidValue;
    if (variable == nullptr) { return reply(event.error); }
    event.text = message.symbol;
    const DevicePlace place{variable->id, static_cast<std::int64_t>(message.offset)};
    (message.toSymbol ? event.destination : event.source) = place;
    std::byte* const bytes = plausible(message.offset, message.bytes, 1)
                                 ? touched(place, message.bytes, "Copies", message.toSymbol ? "to " : "from ")
                                 : nullptr;
    if (bytes == nullptr || (message.toSymbol && payload.size() != message.bytes)) { return reply(kInvalidValue); }
    event.error = kSuccess;
    if (message.toSymbol) {
      std::ranges::copy(payload, bytes);
      return reply();
    }
    const std::array<std::span<const std::byte>, 1> parts{std::span<const std::byte>(bytes, message.bytes)};
    reply(kSuccess, 0, {}, parts);
  }
  void on(const host::SymbolAddress& message, const Payload&) {
    const Allocation* variable = memory_.variable(message.symbol, message.file);
    reply(variable == nullptr ? kInvalidSymbol : kSuccess, variable == nullptr ? 0 : memory_.addressOf(variable->id));
  }

  // Launches.

  void on(const host::LaunchCall& message, const Payload&) {
    checkName(message.kernel);
    if (result_.launches.size() >= kMaxLaunches) {
      exceed(Excess::Kernels);
      return end(ProgramEnd::TooLong, fmt::format("The program launches more than {} kernels.", kMaxLaunches));
    }
    const double most = std::chrono::duration<double>(kernelTime_).count();
    if (result_.kernelSeconds > most) { exceed(Excess::Kernels); }
    if (survey_ ? skipped_ > kMaxSkipped : result_.kernelSeconds > most) {
      return end(ProgramEnd::TooLong, fmt::format("The program's {} launches took more than {} s on the emulator.",
                                                  result_.launches.size(), most));
    }
    ProgramEvent& event = note(ProgramEvent::Kind::Launch);
    event.launch = result_.launches.size();
    ProgramLaunch& launch = result_.launches.emplace_back();
    launch.symbol = message.kernel;
    launch.at = at_;
    launch.configuration = {
        .grid = {message.grid[0], message.grid[1], message.grid[2]},
        .block = {message.block[0], message.block[1], message.block[2]},
        .dynamicSharedBytes = static_cast<std::int64_t>(std::min<std::uint64_t>(message.dynamicSharedBytes, 1U << 30)),
        .cooperative = message.cooperative};
    const LaunchedKernel& kernel = kernels_.find(message.kernel, message.file);
    launch.kernel = kernel.name;
    launch.file = kernel.file;
    launch.program = kernel.program;
    if (stickyError_ != kSuccess) {
      launch.problem = "Not launched: an earlier kernel failed, and every call after it returns its error.";
      event.error = stickyError_;
      return reply();
    }
    if (const std::string beyond = beyondLimit(launch); !beyond.empty()) {
      find(HostFindingKind::LaunchLimit, beyond);
      launch.problem = beyond;
      event.error = kInvalidConfiguration;
      unchecked_ = at_;
      return reply(kInvalidConfiguration);
    }
    if (const std::string beyond = tooManyTogether(launch); !beyond.empty()) {
      find(HostFindingKind::LaunchLimit, beyond);
      launch.problem = beyond;
      event.error = kCooperativeLaunchTooLarge;  // which the call itself returns
      return reply(kCooperativeLaunchTooLarge);
    }
    reply(kSuccess, 0, kernel.program ? argumentSizes(*kernel.program) : std::vector<std::uint64_t>{});
    auto next = process_->receive(options_.stop);
    auto* received = std::get_if<HostProcess::Received>(&next);
    if (received == nullptr || !std::holds_alternative<host::LaunchArguments>(received->call.message)) {
      launch.problem = "The program ended before the launch.";
      if (received != nullptr && std::holds_alternative<host::LaunchCall>(received->call.message)) {
        throw InputError("the host process sent a launch without its arguments");
      }
      return step(std::move(next));
    }
    execute(launch, kernel, received->payload);
  }
  void on(const host::LaunchArguments&, const Payload&) {
    throw InputError("the host process sent arguments without a launch");
  }

  std::string beyondLimit(ProgramLaunch& launch) {
    const Dim3& grid = launch.configuration.grid;
    const Dim3& block = launch.configuration.block;
    const std::int64_t shared = launch.configuration.dynamicSharedBytes;
    const auto text = [](const Dim3& of) { return sizes({of.x, of.y, of.z}); };
    if (block.count() == 0) { return fmt::format("The block {} has no threads: nothing is launched.", text(block)); }
    if (grid.count() == 0) { return fmt::format("The grid {} has no blocks: nothing is launched.", text(grid)); }
    if (block.x > kMaxThreadsPerBlock || block.y > kMaxThreadsPerBlock || block.count() > kMaxThreadsPerBlock) {
      return fmt::format("The block {} has {} threads; a block can have at most {}: nothing is launched.", text(block),
                         block.count(), kMaxThreadsPerBlock);
    }
    if (launch.program && launch.program->maxThreads > 0 && block.count() > launch.program->maxThreads) {
      return fmt::format("The block {} has {} threads; the __launch_bounds__ of {} allow {}: nothing is launched.",
                         text(block), block.count(), launch.kernel, launch.program->maxThreads);
    }
    if (block.z > kMaxBlockZ) {
      return fmt::format("The block {} is {} threads deep; at most {} are possible: nothing is launched.", text(block),
                         block.z, kMaxBlockZ);
    }
    if (grid.x > 0x7fffffffU || grid.y > 65535 || grid.z > 65535) {
      return fmt::format(
          "The grid {} is too large; at most 2147483647×65535×65535 blocks are possible: nothing is launched.",
          text(grid));
    }
    const auto allowed = dynamicShared_.find(launch.symbol);
    const std::int64_t limit = allowed == dynamicShared_.end()
                                   ? kMaxSharedBytesPerBlock
                                   : std::max<std::int64_t>(allowed->second, kMaxSharedBytesPerBlock);
    const std::int64_t declared = launch.program ? launch.program->sharedBytes() : 0;
    launch.configuration.sharedBytesLimit = limit;
    if (shared + declared > limit) {
      return fmt::format(
          "A block needs {} bytes of shared memory ({} declared, {} dynamic), and has at most {}{}: nothing is "
          "launched.",
          shared + declared, declared, shared, limit,
          allowed == dynamicShared_.end() ? " without cudaFuncSetAttribute" : "");
    }
    return {};
  }

  [[nodiscard]] std::int64_t property(const char* name, std::int64_t otherwise) const {
    const auto known = options_.device.properties.find(name);
    return known == options_.device.properties.end() || known->second <= 0 ? otherwise : known->second;
  }

  /// By threads, blocks and shared memory; the registers that a compiler would use are not known.
  [[nodiscard]] std::int64_t blocksPerMultiprocessor(std::int64_t threads, std::int64_t shared) const {
    const std::int64_t blocks =
        std::min(property("maxThreadsPerMultiProcessor", 2048) / threads, property("maxBlocksPerMultiProcessor", 32));
    return shared > 0 ? std::min(blocks, property("sharedMemPerMultiprocessor", 100 << 10) / shared) : blocks;
  }

  /// Why the blocks of a cooperative launch cannot be resident together.
  [[nodiscard]] std::string tooManyTogether(const ProgramLaunch& launch) const {
    const std::int64_t multiprocessors = property("multiProcessorCount", 0);
    const LaunchConfiguration& configuration = launch.configuration;
    if (!configuration.cooperative || multiprocessors == 0) { return {}; }
    const std::int64_t shared = configuration.dynamicSharedBytes + (launch.program ? launch.program->sharedBytes() : 0);
    const std::int64_t each =
        blocksPerMultiprocessor(static_cast<std::int64_t>(configuration.threadsPerBlock()), shared);
    if (configuration.grid.count() <= static_cast<std::uint64_t>(each * multiprocessors)) { return {}; }
    return fmt::format(
        "A cooperative launch of {} blocks is too large: {} holds {} at once, {} on each of {} multiprocessors: "
        "nothing "
        "is launched.",
        configuration.grid.count(), options_.device.name, each * multiprocessors, each, multiprocessors);
  }

  /// The host's memory that kernels can use, as it is now.
  void takeHostMemory(std::span<const std::byte> bytes) {
    for (const Allocation& one : memory_.all()) {
      if (one.hostAddress == 0 || one.freed) { continue; }
      if (bytes.size() < one.bytes.size()) {
        throw InputError("the host process sent less memory than it has allocated");
      }
      std::ranges::copy(bytes.first(one.bytes.size()), memory_.at(one.id).bytes.begin());
      bytes = bytes.subspan(one.bytes.size());
    }
  }

  /// `launch`: the one that has used it.
  void replyWithHostMemory(const ProgramLaunch& launch) {
    std::vector<std::span<const std::byte>> parts;
    std::vector<std::uint64_t> uses;
    for (const Allocation& one : memory_.all()) {
      if (one.hostAddress == 0 || one.freed) { continue; }
      parts.emplace_back(one.bytes);
      host::KernelUse use = host::KernelUse::None;
      for (const LaunchPointer& pointer : launch.pointers) {
        if (!launch.executed || !pointer.place || pointer.place->allocation != one.id) { continue; }
        use = std::max(use, pointer.writes  ? host::KernelUse::Writes
                            : pointer.reads ? host::KernelUse::Reads
                                            : host::KernelUse::None);
        busyWith_[one.id] = fmt::format("the kernel {}, launched at {}", launch.kernel, placeText(launch.at));
      }
      uses.push_back(static_cast<std::uint64_t>(use));
    }
    reply(kSuccess, 0, std::move(uses), parts);
  }

  void on(const host::EarlyAccess& message, const Payload&) {
    const std::optional<DevicePlace> place = memory_.find(message.address);
    if (!place) { throw InputError("the host process names memory that it has not allocated"); }
    const auto busy = busyWith_.find(place->allocation);
    const std::string& label = memory_.at(place->allocation).label;
    find(HostFindingKind::MissingSynchronization,
         fmt::format("Host code accesses {} while {} may still be at work on it: cudaDeviceSynchronize() is missing.",
                     label.empty() ? "this memory" : label,
                     busy == busyWith_.end() ? "an asynchronous copy" : busy->second));
  }

  void on(const host::FileRefused& message, const Payload&) {
    checkName(message.name);
    if (result_.refusedFiles.size() < kMaxFindings) {
      result_.refusedFiles.push_back({.name = message.name, .writes = message.writes, .at = at_});
    }
  }

  void execute(ProgramLaunch& launch, const LaunchedKernel& kernel, const Payload& payload) {
    if (!launch.program) {
      launch.problem = kernel.problem;
      takeHostMemory(payload);
      return replyWithHostMemory(launch);
    }
    std::uint64_t argumentBytes = 0;
    for (const std::uint64_t bytes : argumentSizes(*launch.program)) { argumentBytes += bytes; }
    if (payload.size() < argumentBytes) {
      throw InputError("the host process sent fewer arguments than the kernel takes");
    }
    takeHostMemory(std::span(payload).subspan(argumentBytes));
    report(launch.kernel);
    auto began = std::chrono::steady_clock::now();
    try {
      BoundLaunch bound = running::bind(kernel, launch.configuration, std::span(payload).first(argumentBytes), memory_);
      // What tables point to only the launch itself knows; findings name it.
      if (bound.program->objects.size() > launch.program->objects.size()) { launch.program = bound.program; }
      describe(launch, bound);
      if (options_.beforeLaunch) {
        options_.beforeLaunch(launch, kernel, bound);
        began = std::chrono::steady_clock::now();
      }
      try {
        run(launch, bound);
      } catch (const InputError& refused) { launch.problem = refused.what(); }
      unbind(bound, memory_);
    } catch (const InputError& refused) { launch.problem = refused.what(); }
    launch.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    result_.kernelSeconds += launch.seconds;
    deviceNanoseconds_ += predictedSeconds(launch, options_.device) * 1e9;
    replyWithHostMemory(launch);
  }

  void describe(ProgramLaunch& launch, const BoundLaunch& bound) {
    std::vector<bool> reads(bound.program->objects.size(), false);
    std::vector<bool> writes(bound.program->objects.size(), false);
    for (const Instruction& instruction : bound.program->code) {
      const bool ofTexture = instruction.fetch == FetchPart::Texel && instruction.aux == kNone;
      if (!isAccess(instruction.op) || ofTexture) { continue; }
      const bool any = instruction.aux == kNone;
      for (std::size_t object = any ? 0 : instruction.aux; object <= (any ? reads.size() - 1 : instruction.aux);
           ++object) {
        reads[object] = reads[object] || readsMemory(instruction.op);
        writes[object] = writes[object] || writesMemory(instruction.op);
      }
    }
    for (const BoundPointer& pointer : bound.pointers) {
      launch.pointers.push_back({.parameter = pointer.parameter,
                                 .place = pointer.place,
                                 .reads = reads[pointer.object],
                                 .writes = writes[pointer.object]});
      if (pointer.isNull || !pointer.place) { continue; }
      const Allocation& one = memory_.at(pointer.place->allocation);
      if (one.freed) {
        findAt(HostFindingKind::UsedAfterFree, launch.at,
               fmt::format("{} is given memory for {} that was freed at {}.", launch.kernel, pointer.parameter,
                           placeText(one.freedAt)));
      }
    }
    for (const BoundPointer& pointer : bound.pointers) {
      if (!pointer.place && !pointer.isNull) {
        findAt(HostFindingKind::HostPointer, launch.at,
               fmt::format("{} is given an address of the host's memory for {}: a kernel cannot use it.", launch.kernel,
                           pointer.parameter));
      }
    }
    for (std::size_t i = 0; i < bound.program->parameters.size(); ++i) {
      const Parameter& parameter = bound.program->parameters[i];
      if (parameter.object != kNone) { continue; }
      const std::string value = valueText(parameter, bound.launch.arguments[i]);
      launch.scalars[parameter.name] = value;
      const double number = std::strtod(value.c_str(), nullptr);
      if (std::isfinite(number)) { launch.facts.scalars[parameter.name] = number; }
    }
    launch.facts.symbol = launch.symbol;
    launch.facts.instance = launch.kernel;
    launch.facts.configuration = launch.configuration;
    launch.facts.sharesArrays = false;
    std::set<AllocationId> used;
    for (const BoundPointer& pointer : bound.pointers) {
      if (!pointer.place) { continue; }
      const std::int64_t size = sizeInMemory(bound.program->objects[pointer.object].element);
      const auto bytes = static_cast<std::int64_t>(bound.launch.arrays[pointer.object].bytes.size());
      launch.facts.elements[pointer.parameter] = (bytes - pointer.place->offset) / size;
      const bool isNew = used.insert(pointer.place->allocation).second;
      launch.facts.sharesArrays = launch.facts.sharesArrays || !isNew || pointer.place->offset != 0;
    }
    for (const auto& [object, allocation] : bound.allocations) {
      const bool parameter =
          std::ranges::any_of(bound.pointers, [&](const BoundPointer& one) { return one.object == object; });
      if (!parameter) {
        launch.variables.push_back({.parameter = bound.program->objects[object].name,
                                    .place = DevicePlace{allocation, 0},
                                    .reads = reads[object],
                                    .writes = writes[object]});
      }
      if (bound.program->objects[object].space == MemorySpace::Global) {
        launch.arrayBytes += bound.launch.arrays[object].bytes.size();
      }
    }
  }

  static KeptLaunch keptOf(const BoundLaunch& bound) {
    KeptLaunch kept{.program = bound.program, .launch = bound.launch, .pointers = bound.pointers, .arrays = {}};
    for (const auto& [object, allocation] : bound.allocations) { kept.arrays.push_back(object); }
    return kept;
  }

  void keep(const BoundLaunch& bound) {
    result_.kept = std::make_shared<const KeptLaunch>(keptOf(bound));
    end(ProgramEnd::Stopped, "The program was ended at the launch that was to be kept.");
  }

  void run(ProgramLaunch& launch, BoundLaunch& bound) {
    if (options_.keepLaunch == result_.launches.size() - 1) { return keep(bound); }
    std::optional<ExecutedKernel> compared;
    if (isCompared(launch, bound)) {
      compared = ExecutedKernel{.launch = result_.launches.size() - 1, .before = keptOf(bound)};
    }
    int& times = checkedTimes_[shapeOf(launch)];
    LaunchBudget budget{.instructions = instructionsLeft_,
                        .checked = 0,
                        .wholeOnly = survey_,
                        .workers = options_.workers,
                        .stop = options_.stop};
    if (times < options_.budget.checkedLaunches) { budget.checked = options_.budget.checkedInstructions; }
    ++times;
    const bool surveyed = survey_ && result_.excess != Excess::None;
    if (surveyed ? budget.checked == 0 : instructionsLeft_ == 0) {
      launch.problem = "The program's launches took the whole budget: this one was not executed.";
      exceed(Excess::Kernels);
      ++skipped_;
      return;
    }
    skipped_ = 0;
    if (surveyed) { budget.instructions = budget.checked; }
    const bool incomplete = result_.excess != Excess::None;
    LaunchOutcome outcome = running::execute(bound, budget);
    instructionsLeft_ -= std::min(instructionsLeft_, outcome.instructions);
    if (incomplete) { std::erase_if(outcome.findings, isAboutValues); }
    if (outcome.blocks < launch.configuration.grid.count()) { exceed(Excess::Kernels); }
    launch.instructions = outcome.instructions;
    launch.executed = true;
    launch.checked = outcome.checked;
    launch.checkedBlocks = outcome.checkedBlocks;
    launch.blocks = outcome.blocks;
    launch.findings = withoutMemory(std::move(outcome.findings), bound);
    launch.problem = std::move(outcome.problem);
    launch.flops = outcome.flops;
    launch.globalBytes = outcome.globalBytes;
    launch.textureRequests = outcome.textureRequests;
    const bool whole = launch.problem.empty() && launch.blocks == launch.configuration.grid.count();
    const std::vector<bool> written = writtenObjects(*bound.program);
    for (const auto& [object, allocation] : bound.allocations) {
      if (!written[object] || !whole) { continue; }
      lastWriter_[allocation] = launch.symbol;
      if (compared) { compared->after[object] = bound.launch.arrays[object].bytes; }
    }
    if (compared && whole) { executed_.push_back(std::move(*compared)); }
    const auto isUnmapped = [&](const LaunchPointer& pointer) {
      return !pointer.place || memory_.at(pointer.place->allocation).freed;
    };
    const bool outside = std::ranges::any_of(
        launch.findings, [](const analysis::Finding& one) { return one.kind == analysis::FindingKind::OutOfBounds; });
    // What a GPU does with such a kernel: every later call fails.
    if (outside && std::ranges::any_of(launch.pointers, isUnmapped)) { stickyError_ = kIllegalAddress; }
    if (!launch.problem.empty()) { stickyError_ = kLaunchTimeout; }
    // What made it fail is told already.
    if (stickyError_ != kSuccess && launch.findings.empty()) { unchecked_ = launch.at; }
  }

  /// What a kernel reads was not all computed.
  static bool isAboutValues(const analysis::Finding& one) {
    return one.kind == analysis::FindingKind::Uninitialized || one.kind == analysis::FindingKind::UnwrittenOutput;
  }

  /// Accesses through a pointer to no memory: one finding for each, which says so.
  static std::vector<analysis::Finding> withoutMemory(std::vector<analysis::Finding> findings,
                                                      const BoundLaunch& bound) {
    std::set<ObjectId> said;
    std::erase_if(findings, [&](analysis::Finding& one) {
      const auto pointer = std::ranges::find(bound.pointers, one.object, &BoundPointer::object);
      const bool empty = pointer != bound.pointers.end() && bound.launch.arrays[one.object].bytes.empty();
      if (!empty || one.kind != analysis::FindingKind::OutOfBounds) { return false; }
      const char* const what = pointer->isNull  ? "a null pointer"
                               : pointer->place ? "a pointer to memory that was freed"
                                                : "an address of the host's memory";
      one.message = fmt::format("{} is {}, and the kernel accesses it", pointer->parameter, what);
      return !said.insert(one.object).second;
    });
    return findings;
  }

  // Waiting, events, errors.

  void on(const host::Synchronize& message, const Payload&) {
    note(ProgramEvent::Kind::Synchronize);
    unchecked_ = stickyError_ != kSuccess ? host::HostPlace{} : unchecked_;
    if (message.what == host::Synchronize::What::Reset) {
      for (const Allocation& one : memory_.all()) {
        if (!one.freed && one.name.empty()) { memory_.free(one.id, at_); }
      }
    }
    reply();
  }
  void on(const host::Create&, const Payload&) { reply(kSuccess, ++handles_); }
  void on(const host::Destroy&, const Payload&) { reply(); }
  void on(const host::RecordEvent& message, const Payload&) {
    note(ProgramEvent::Kind::Record);
    recorded_[message.event] = deviceNanoseconds_;
    reply();
  }
  void on(const host::ElapsedTime& message, const Payload&) {
    const auto start = recorded_.find(message.start);
    const auto stop = recorded_.find(message.end);
    const bool known = start != recorded_.end() && stop != recorded_.end();
    reply(known ? kSuccess : kInvalidValue,
          known ? static_cast<std::uint64_t>(std::max(0.0, stop->second - start->second)) : 0);
  }
  void on(const host::LastError&, const Payload&) {
    unchecked_ = {};
    reply();
  }
  void on(const host::SetKernelAttribute& message, const Payload&) {
    checkName(message.kernel);
    if (message.attribute == kMaxDynamicSharedBytes) {
      const auto most = options_.device.properties.find("sharedMemPerBlockOptin");
      if (message.value < 0 || (most != options_.device.properties.end() && message.value > most->second)) {
        return reply(kInvalidValue);
      }
      if (dynamicShared_.size() < kMaxVariables) { dynamicShared_[message.kernel] = message.value; }
    }
    reply();
  }
  void on(const host::KernelProperty& message, const Payload&) {
    checkName(message.kernel);
    const LaunchedKernel& kernel = kernels_.find(message.kernel, message.file);
    const std::int64_t declared = kernel.program ? kernel.program->sharedBytes() : 0;
    if (message.name == "sharedSizeBytes") { return reply(kSuccess, static_cast<std::uint64_t>(declared)); }
    const std::int64_t threads = std::clamp<std::int64_t>(message.threads, 1, 1024);
    const std::int64_t shared =
        declared + std::clamp<std::int64_t>(message.dynamicSharedBytes, 0, std::int64_t{1} << 30);
    reply(kSuccess, static_cast<std::uint64_t>(blocksPerMultiprocessor(threads, shared)));
  }

  // The end.

  void on(const host::FunctionCall& message, const Payload& payload) {
    if (!options_.comparesOwnFunctions) { throw InputError("the host process sent a call that was not asked for"); }
    if (calls_.size() >= kMostCalls || callBytes_ + payload.size() > kMostKeptBytes) { return; }
    callBytes_ += payload.size();
    calls_.push_back(ownCallOf(message, payload));
  }
  void on(const host::Returned& message, const Payload&) {
    // A function that is called again may call exit().
    if (asking_) { return end(ProgramEnd::Exited, {}); }
    if (!options_.comparesOwnFunctions || returned_) { throw InputError("the host process ended its program twice"); }
    result_.status = message.status;
    printedAtEnd_ = process_->printedBytes();
    returned_ = true;
    const std::optional<OwnCheck> own = ownCheckIn(process_->output().text);
    for (ExecutedKernel& one : executed_) {
      const ProgramLaunch& launch = result_.launches[one.launch];
      one.launches =
          static_cast<std::size_t>(std::ranges::count(result_.launches, launch.symbol, &ProgramLaunch::symbol));
      if (const auto copied = copied_.find(launch.symbol); copied != copied_.end()) { one.copied = copied->second; }
    }
    functions_.emplace(std::move(executed_), std::move(calls_), own && own->passed, options_.stop);
    askAgain();
  }
  void on(const host::CalledAgain& message, const Payload& payload) {
    if (!asking_) { throw InputError("the host process called a function that it was not to call"); }
    printedByCalls_ = process_->printedBytes() - printedAtEnd_;
    std::vector<std::vector<std::byte>> blocks;
    std::size_t at = 0;
    for (const std::uint64_t bytes : message.blocks) {
      if (bytes > payload.size() - at) { throw InputError("the host process sent fewer bytes than it said"); }
      blocks.emplace_back(payload.begin() + static_cast<std::ptrdiff_t>(at),
                          payload.begin() + static_cast<std::ptrdiff_t>(at + bytes));
      at += bytes;
    }
    functions_->answer(std::move(blocks));
    askAgain();
  }
  void askAgain() {
    const auto request = functions_->next();
    asking_ = request.has_value();
    if (!request) { return process_->reply({}); }
    const std::vector<std::span<const std::byte>> parts(request->blocks.begin(), request->blocks.end());
    process_->reply({.error = kSuccess, .value = 0, .list = request->list, .sticky = false}, parts);
  }

  void on(const host::Ended& message, const Payload&) {
    if (!asking_) { result_.status = message.status; }
    end(ProgramEnd::Exited, {});
  }
  void on(const host::Unsupported& message, const Payload&) {
    if (asking_) { return end(ProgramEnd::Exited, {}); }
    end(ProgramEnd::Unsupported, fmt::format("{} is not supported.", message.function));
  }
  void on(const host::Uncaught& message, const Payload&) {
    if (asking_) { return end(ProgramEnd::Exited, {}); }
    const std::string what = message.message.empty() ? "" : fmt::format(" ({})", message.message);
    end(ProgramEnd::Uncaught, message.type.empty()
                                  ? "The program called std::terminate()."
                                  : fmt::format("Nothing catches an exception of type {}{}.", message.type, what));
  }
  void on(const host::Crashed& message, const Payload&) {
    if (asking_) { return end(ProgramEnd::Exited, {}); }
    std::string sentence;
    switch (message.signal) {
      case SIGSEGV:
      case SIGBUS:
        if (message.deviceAddress) {
          find(HostFindingKind::DevicePointer, "Host code reads or writes memory of the device through its pointer.");
          sentence = "Host code follows a pointer to the device's memory; copy the data with cudaMemcpy.";
        } else if (message.stackOverflow) {
          sentence = "The stack overflows: a recursion that does not end, or a very large local array.";
        } else if (message.address < 4096) {
          sentence = "Host code follows a null pointer.";
        } else {
          sentence = "Host code accesses memory that it does not have (segmentation fault).";
        }
        break;
      case SIGFPE:
        sentence = "Host code divides an integer by zero.";
        break;
      case SIGABRT:
        sentence = "The program aborts: abort(), a failed assertion, or the C library found its heap damaged.";
        break;
      default:
        sentence = fmt::format("The program ends by signal {} ({}).", message.signal, strsignal(message.signal));
    }
    end(ProgramEnd::Crashed, std::move(sentence));
  }
  void on(const host::Failed& message, const Payload&) { end(ProgramEnd::Failed, message.message); }

  void conclude() {
    if (functions_) { concludeFunctions(); }
    if (!tooSmall_.empty()) { excuseKernels(); }
    if (result_.end == ProgramEnd::Exited && unchecked_.line != 0) {
      findAt(HostFindingKind::UncheckedError, unchecked_,
             "This launch fails, and nothing checks it: cudaGetLastError() after it would tell.");
    }
    if (result_.end == ProgramEnd::Exited) {
      for (host::HostDiagnostic& one : kernels_.errorsOfOthers()) {
        findAt(HostFindingKind::UnreadKernel, one.where, std::move(one.message));
      }
    }
    for (const Allocation& one : memory_.all()) {
      if (result_.end == ProgramEnd::Exited && !one.freed && one.name.empty()) {
        findAt(HostFindingKind::NeverFreed, one.allocatedAt,
               fmt::format("The {}{} are never freed.", bytesText(one.size),
                           one.label.empty() ? "" : fmt::format(" of {}", one.label)));
      }
      Allocation kept = one;
      kept.bytes = {};
      result_.allocations.push_back(std::move(kept));
    }
  }

  void concludeFunctions() {
    // What functions that were called again have printed is none of the program's output.
    std::string& output = result_.output;
    if (printedAtEnd_ < output.size()) { output.erase(printedAtEnd_, asking_ ? std::string::npos : printedByCalls_); }
    for (const OwnVerdict& one : functions_->verdicts()) {
      ProgramLaunch& launch = result_.launches.at(one.launch);
      if (!one.finding) {
        launch.ownFunction = fmt::format("{} (line {})", one.function, one.at.line);
      } else if (launch.findings.empty()) {
        launch.findings.push_back(*one.finding);
      }
    }
  }

  /// Keeps a launch for the comparison with the program's own functions: the first of each kernel with the same
  /// configuration and arrays.
  bool isCompared(const ProgramLaunch& launch, const BoundLaunch& bound) {
    std::size_t bytes = 0;
    for (const auto& [object, allocation] : bound.allocations) {
      bytes += 2 * bound.launch.arrays[object].bytes.size();
    }
    if (!options_.comparesOwnFunctions || checkedTimes_.contains(shapeOf(launch)) ||
        executed_.size() >= kMostCompared || callBytes_ + bytes > kMostKeptBytes) {
      return false;
    }
    callBytes_ += bytes;
    return true;
  }

  const RunOptions& options_;
  const bool survey_;
  const std::chrono::milliseconds hostTime_, kernelTime_;
  host::HostStart start_;
  HostProcess* process_ = nullptr;
  DeviceMemory memory_;
  AllocatingPlaces places_;
  KernelTexts kernels_;
  const HostHalf half_;
  ProgramRun result_;
  bool over_ = false, began_ = false;
  host::HostPlace at_;
  int stickyError_ = kSuccess;
  host::HostPlace unchecked_;  ///< of a failed launch that nothing has asked about
  std::uint64_t instructionsLeft_;
  std::size_t skipped_ = 0;  ///< launches since the last that was executed
  std::map<std::string, int> checkedTimes_;
  std::map<std::string, std::int64_t> dynamicShared_;
  std::map<AllocationId, std::string> busyWith_;  ///< what works on memory that the host can use, too
  std::set<AllocationId> tooSmall_;               ///< see isTooSmallByElements()
  std::uint64_t handles_ = 0;
  std::map<std::uint64_t, double> recorded_;
  // For the comparison with the program's own functions.
  std::vector<ExecutedKernel> executed_;
  std::vector<OwnCall> calls_;
  std::uint64_t callBytes_ = 0;                     ///< kept for it
  std::map<AllocationId, std::string> lastWriter_;  ///< symbols of kernels
  static constexpr std::size_t kMostCopiedBytes = std::size_t{512} << 20;
  std::map<std::string, std::vector<std::byte>> copied_;  ///< by symbol, what was copied last of what it wrote
  std::size_t copiedBytes_ = 0;                           ///< of them
  std::optional<OwnFunctions> functions_;
  bool returned_ = false;  ///< main() has
  bool asking_ = false;    ///< a function of the program is called again
  std::size_t printedAtEnd_ = 0, printedByCalls_ = 0;
  double deviceNanoseconds_ = 0;  ///< predicted time of the launches so far
};

}  // namespace

bool ProgramRun::faultless() const {
  const auto fault = [](const HostFinding& one) { return rowOf(one.kind).fault; };
  const std::optional<OwnCheck> own = ownCheckIn(output);
  return end == ProgramEnd::Exited && std::ranges::none_of(findings, fault) && !(own && !own->passed) &&
         std::ranges::all_of(launches, [](const ProgramLaunch& one) {
           return one.executed && one.problem.empty() && one.findings.empty();
         });
}

std::vector<opening::ExecutedLaunch> ProgramRun::facts() const {
  std::vector<opening::ExecutedLaunch> all;
  for (const ProgramLaunch& launch : launches) {
    const bool known = std::ranges::find(all, launch.symbol, &opening::ExecutedLaunch::symbol) != all.end();
    if (launch.executed && !known) { all.push_back(launch.facts); }
  }
  return all;
}

std::string sentence(const RefusedFile& file) {
  return file.writes ? fmt::format("The program writes {}: it cannot, and nothing is written.", file.name)
                     : fmt::format("The program opens {}, which it does not get: give it a copy with --file {}=PATH.",
                                   file.name, file.name);
}

double predictedSeconds(const ProgramLaunch& launch, const RunDevice& device) {
  const double memory = device.bytesPerSecond > 0 ? static_cast<double>(launch.arrayBytes) / device.bytesPerSecond : 0;
  const double units = device.flopsPerSecond > 0 ? static_cast<double>(launch.flops) / device.flopsPerSecond : 0;
  return std::max(memory, units);
}

ProgramRun runAsItIs(const host::HostProgram& program, const RunOptions& options, bool survey) {
  return Conductor(program, options, survey).run();
}

}  // namespace haloscope::running
