#include "host/Runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <mutex>
#include <utility>

#include "host/CallWatch.h"
#include "host/Faults.h"
#include "process/NamedFiles.h"

namespace haloscope::host {

namespace {

using process::TextPlace;

/// As haloscope_place and haloscope_rows in the prelude.
struct CallPlace {
  const char* file;
  int line;
};
struct CallRows {
  void* destination;
  std::size_t destinationPitch;
  const void* source;
  std::size_t sourcePitch, width, height;
};
/// As dim3 there.
struct CallDim3 {
  unsigned x, y, z;
};

// The errors that this side finds by itself.
constexpr int kSuccess = 0, kMemoryAllocation = 2, kMissingConfiguration = 52, kInvalidDeviceFunction = 98;
constexpr int kInvalidSymbol = 13;

/// The host's memory that kernels can use, or that is only page-locked.
struct HostBlock {
  std::byte* data = nullptr;
  std::size_t bytes = 0;
  bool mapped = false;  ///< by cudaMallocManaged and the like, in pages of its own
  /// What a kernel or an asynchronous copy that host code has not waited for does with it. Until then host code cannot
  /// access it, or only read it: the first attempt is a fault, which is reported.
  KernelUse use = KernelUse::None;

  void setUse(KernelUse to) {
    if (!mapped || to == use) { return; }
    use = to;
    const int access = to == KernelUse::None ? PROT_READ | PROT_WRITE : to == KernelUse::Reads ? PROT_READ : PROT_NONE;
    mprotect(data, std::max<std::size_t>(bytes, 1), access);
  }
};

struct Early {
  std::uint64_t address = 0;
  TextPlace at;
  std::atomic<bool> ready = false;  ///< written whole, and not reported yet
};

struct Configuration {
  CallDim3 grid{}, block{};
  std::size_t shared = 0;
  void* stream = nullptr;
  CallPlace at{};
};

/// A kernel or a variable of the device as a file of the program declares it.
struct Symbol {
  std::string name;
  std::uint32_t file = 0;
};

struct State {
  Channel* channel = nullptr;
  const HostStart* start = nullptr;
  std::uint32_t file = 0;                 ///< the one whose constructors run
  std::map<const void*, Symbol> kernels;  ///< by the function that launches them
  std::map<const void*, Symbol> symbols;  ///< by the host's shadow
  std::map<std::string, std::vector<std::uint64_t>> argumentSizes;
  std::vector<HostBlock> blocks;
  std::atomic<bool> mapsMemory = false;  ///< one of them was ever mapped
  std::array<Early, 256> early;          ///< handlers of signals in several threads add to it
  std::atomic<std::size_t> earlyCount = 0;
  std::vector<std::pair<void (*)(void*), void*>> atExit;
  TextPlace call;
  int lastError = kSuccess;
  int stickyError = kSuccess;
};

/// One for the process: the program calls plain functions.
State& state() {
  static State one;
  return one;
}

/// Calls of several threads take turns.
std::recursive_mutex& turns() {
  static std::recursive_mutex one;
  return one;
}

thread_local std::vector<Configuration> configurations;

std::uint64_t addressOf(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Device addresses are none that a process on x86-64 or AArch64 can have: a host that follows one faults.
bool isDevice(const void* pointer) { return addressOf(pointer) >> 47 != 0; }

/// As `haloscope_caller` in the stand-in for thrust: the place is the innermost one of the program's own text.
constexpr int kOnStack = -1;

TextPlace placeOf(const CallPlace& at) {
  if (at.line == kOnStack) { return placeOnStack(); }
  return at.file == nullptr ? TextPlace() : TextPlace{.file = at.file, .line = at.line};
}

/// What handlers of signals have noted.
void reportNoted() {
  State& all = state();
  const std::size_t count = std::min(all.earlyCount.exchange(0), all.early.size());
  for (Early& one : std::span(all.early).first(count)) {
    if (!one.ready.exchange(false)) { continue; }
    all.channel->send(encode(HostCall{EarlyAccess{one.address}, hostPlace(one.at)}));
  }
  for (process::AskedFile& one : process::takeAskedFiles()) {
    all.channel->send(encode(HostCall{FileRefused{std::move(one.name), one.how}, hostPlace(one.at)}));
  }
}

/// The program has waited for everything.
void waited() {
  for (HostBlock& one : state().blocks) { one.setUse(KernelUse::None); }
}

/// While it exists, the runtime can use all of the host's memory.
class Opened {
 public:
  Opened() {
    for (HostBlock& one : state().blocks) {
      uses_.push_back(one.use);
      one.setUse(KernelUse::None);
    }
  }
  ~Opened() {
    auto& blocks = state().blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) { blocks[i].setUse(uses_[i]); }
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  /// From then on.
  void add(std::size_t block, KernelUse use) { uses_.at(block) = std::max(uses_.at(block), use); }
  void add(const void* memory, KernelUse use) {
    const auto& blocks = state().blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (memory >= blocks[i].data && memory < blocks[i].data + blocks[i].bytes) { add(i, use); }
    }
  }

 private:
  std::vector<KernelUse> uses_;
};

/// Reads a byte of each page: memory that the program does not have is a fault of its own, not of sending it.
void touch(std::span<const std::byte> bytes) {
  constexpr std::size_t kPage = 4096;
  for (std::size_t at = 0; at < bytes.size(); at += kPage) {
    static_cast<void>(*static_cast<const volatile std::byte*>(&bytes[at]));
  }
  if (!bytes.empty()) { static_cast<void>(*static_cast<const volatile std::byte*>(&bytes.back())); }
}

/// A call of the runtime: takes its turn, and says where the program is.
class Call {
 public:
  explicit Call(const CallPlace& at) : lock_(turns()) {
    noteRuntimeCall();
    state().call = placeOf(at);
  }
  ~Call() { state().call = {}; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Packet exchange(const HostMessage& message, std::span<const std::span<const std::byte>> payload = {}) {
    State& all = state();
    std::cout.flush();
    std::clog.flush();
    std::fflush(stdout);
    reportNoted();
    for (const std::span<const std::byte> part : payload) { touch(part); }
    if (!all.channel->send(encode(HostCall{message, hostPlace(all.call)}), payload)) { _exit(0); }
    std::optional<Packet> answer = all.channel->receive();
    if (!answer) { _exit(0); }
    reply_ = decodeReply(answer->message);
    if (reply_.error != kSuccess) { all.lastError = reply_.error; }
    if (reply_.sticky) { all.stickyError = reply_.error; }
    return std::move(*answer);
  }
  [[nodiscard]] const HostReply& reply() const { return reply_; }
  int ask(const HostMessage& message, std::span<const std::span<const std::byte>> payload = {}) {
    exchange(message, payload);
    return reply_.error;
  }

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  HostReply reply_;
};

int failed(int error) { return state().lastError = error; }

std::span<const std::byte> bytesAt(const void* data, std::size_t bytes) {
  return {static_cast<const std::byte*>(data), bytes};
}

std::array<std::uint32_t, 3> three(const unsigned* values) { return {values[0], values[1], values[2]}; }

void* allocate(std::size_t bytes, int memory, CallPlace at) {
  Call call(at);
  if (memory == 0) {
    call.exchange(Allocate{.bytes = bytes, .memory = HostMemory::Device});
    return reinterpret_cast<void*>(call.reply().value);
  }
  void* const data =
      mmap(nullptr, std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) {
    failed(kMemoryAllocation);
    return nullptr;
  }
  call.ask(Allocate{.bytes = bytes,
                    .memory = memory == 1 ? HostMemory::Managed : HostMemory::PageLocked,
                    .address = addressOf(data)});
  if (call.reply().error != kSuccess) {
    munmap(data, std::max<std::size_t>(bytes, 1));
    return nullptr;
  }
  state().blocks.push_back({static_cast<std::byte*>(data), bytes, true});
  state().mapsMemory = true;
  return data;
}

void registerMemory(void* memory, std::size_t bytes, CallPlace at) {
  Call call(at);
  if (call.ask(Allocate{.bytes = bytes, .memory = HostMemory::PageLocked, .address = addressOf(memory)}) == kSuccess) {
    state().blocks.push_back({static_cast<std::byte*>(memory), bytes, false});
  }
}

int release(void* memory, int host, CallPlace at) {
  if (memory == nullptr) { return kSuccess; }
  Call call(at);
  waited();
  const int error = call.ask(Free{.address = addressOf(memory), .host = host != 0});
  auto& blocks = state().blocks;
  const auto block =
      std::ranges::find(blocks, memory, [](const HostBlock& one) { return static_cast<void*>(one.data); });
  if (error == kSuccess && block != blocks.end()) {
    if (block->mapped) { munmap(block->data, std::max<std::size_t>(block->bytes, 1)); }
    blocks.erase(block);
  }
  return error;
}

int copy(const CallRows* rows, int kind, int asynchronous, CallPlace at) {
  Call call(at);
  if (asynchronous == 0) { waited(); }
  Opened opened;
  const Copy message{.destination = addressOf(rows->destination),
                     .destinationPitch = rows->destinationPitch,
                     .source = addressOf(rows->source),
                     .sourcePitch = rows->sourcePitch,
                     .width = rows->width,
                     .height = rows->height,
                     .kind = static_cast<CopyKind>(kind),
                     .asynchronous = asynchronous != 0};
  const bool toDevice = isDevice(rows->destination);
  const bool fromDevice = isDevice(rows->source);
  std::vector<std::span<const std::byte>> payload;
  // Without its rows the parent refuses a copy: one of this size is a mistake.
  const bool possible = rows->height == 0 || rows->width <= Channel::kMaxPayloadBytes / rows->height;
  if (toDevice && !fromDevice && possible) {
    const auto* from = static_cast<const std::byte*>(rows->source);
    if (rows->width == rows->sourcePitch) {
      payload.push_back({from, rows->width * rows->height});
    } else {
      for (std::size_t y = 0; y < rows->height; ++y) {
        payload.emplace_back(from + y * rows->sourcePitch, rows->width);
      }
    }
  }
  Packet answer = call.exchange(message);
  if (call.reply().error == kSuccess && call.reply().value == kWantsRows) {
    answer = call.exchange(CopiedRows{}, payload);
  }
  if (call.reply().error != kSuccess) { return call.reply().error; }
  auto* to = static_cast<std::byte*>(rows->destination);
  if (!toDevice && fromDevice && answer.payload.size() == rows->width * rows->height) {
    for (std::size_t y = 0; y < rows->height; ++y) {
      std::memcpy(to + y * rows->destinationPitch, answer.payload.data() + y * rows->width, rows->width);
    }
    if (asynchronous != 0) { opened.add(to, KernelUse::Writes); }
  } else if (toDevice && !fromDevice) {
    if (asynchronous != 0) { opened.add(rows->source, KernelUse::Reads); }
  } else if (!toDevice && !fromDevice) {
    const auto* from = static_cast<const std::byte*>(rows->source);
    for (std::size_t y = 0; y < rows->height; ++y) {
      std::memmove(to + y * rows->destinationPitch, from + y * rows->sourcePitch, rows->width);
    }
  }
  return kSuccess;
}

int fill(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height, int asynchronous,
         CallPlace at) {
  Call call(at);
  const Opened opened;
  const int error = call.ask(Fill{.address = addressOf(memory),
                                  .pitch = pitch,
                                  .width = width,
                                  .height = height,
                                  .value = static_cast<std::uint8_t>(value),
                                  .asynchronous = asynchronous != 0});
  if (error == kSuccess && !isDevice(memory)) {
    for (std::size_t y = 0; y < height; ++y) { std::memset(static_cast<std::byte*>(memory) + y * pitch, value, width); }
  }
  return error;
}

int copySymbol(const void* symbol, void* host, std::size_t bytes, std::size_t offset, int toSymbol, int, CallPlace at) {
  Call call(at);
  waited();
  const auto known = state().symbols.find(symbol);
  if (known == state().symbols.end()) { return failed(kInvalidSymbol); }
  const SymbolCopy message{.symbol = known->second.name,
                           .file = known->second.file,
                           .offset = offset,
                           .bytes = bytes,
                           .toSymbol = toSymbol != 0};
  if (toSymbol != 0 && bytes <= Channel::kMaxPayloadBytes) {
    const std::array<std::span<const std::byte>, 1> payload{bytesAt(host, bytes)};
    return call.ask(message, payload);
  }
  const Packet answer = call.exchange(message);
  if (call.reply().error == kSuccess && answer.payload.size() == bytes) {
    std::memcpy(host, answer.payload.data(), bytes);
  }
  return call.reply().error;
}

void* symbolAddress(const void* symbol, CallPlace at) {
  Call call(at);
  const auto known = state().symbols.find(symbol);
  if (known == state().symbols.end()) { return nullptr; }
  call.ask(SymbolAddress{known->second.name, known->second.file});
  return reinterpret_cast<void*>(call.reply().value);
}

void configure(const unsigned* grid, const unsigned* block, std::size_t shared, void* stream, CallPlace at) {
  configurations.push_back({{grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, shared, stream, at});
}

int configuration(CallDim3* grid, CallDim3* block, std::size_t* shared, void** stream) {
  if (configurations.empty()) { return kMissingConfiguration; }
  const Configuration& last = configurations.back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *stream = last.stream;
  state().call = placeOf(last.at);
  configurations.pop_back();
  return kSuccess;
}

int launch(const void* kernel, const unsigned* grid, const unsigned* block, void** arguments, std::size_t shared,
           void* stream, int cooperative, CallPlace at) {
  const TextPlace configured = state().call;
  Call call(at);
  State& all = state();
  if (at.file == nullptr) { all.call = configured; }
  const auto known = all.kernels.find(kernel);
  if (known == all.kernels.end()) { return failed(kInvalidDeviceFunction); }
  const int refused = call.ask(LaunchCall{.kernel = known->second.name,
                                          .file = known->second.file,
                                          .grid = three(grid),
                                          .block = three(block),
                                          .dynamicSharedBytes = shared,
                                          .stream = addressOf(stream),
                                          .cooperative = cooperative != 0});
  if (refused != kSuccess) { return refused; }
  Opened opened;
  std::vector<std::span<const std::byte>> payload;
  for (std::size_t i = 0; i < call.reply().list.size(); ++i) {
    payload.push_back(bytesAt(arguments[i], call.reply().list[i]));
  }
  for (const HostBlock& one : all.blocks) { payload.emplace_back(one.data, one.bytes); }
  const Packet answer = call.exchange(LaunchArguments{}, payload);
  std::size_t at_ = 0;
  for (const HostBlock& one : all.blocks) {
    if (at_ + one.bytes > answer.payload.size()) { break; }
    std::memcpy(one.data, answer.payload.data() + at_, one.bytes);
    at_ += one.bytes;
  }
  const std::vector<std::uint64_t>& uses = call.reply().list;
  for (std::size_t i = 0; i < std::min(uses.size(), all.blocks.size()); ++i) {
    opened.add(i, static_cast<KernelUse>(uses[i]));
  }
  return call.reply().error;
}

int launchConfigured(const void* kernel, CallDim3 grid, CallDim3 block, void** arguments, std::size_t shared,
                     void* stream) {
  return launch(kernel, &grid.x, &block.x, arguments, shared, stream, 0, {nullptr, 0});
}

int synchronize(int what, const void* object, CallPlace at) {
  Call call(at);
  waited();
  return call.ask(Synchronize{.what = static_cast<Synchronize::What>(what), .object = addressOf(object)});
}

constexpr int kEvent = 2;

void* create(int what, CallPlace at) {
  Call call(at);
  call.ask(Create{.event = what == kEvent});
  return reinterpret_cast<void*>(call.reply().value);
}

int destroy(int what, void* object, CallPlace at) {
  Call call(at);
  return call.ask(Destroy{.event = what == kEvent, .object = addressOf(object)});
}

int record(void* event, void* stream, CallPlace at) {
  Call call(at);
  return call.ask(RecordEvent{.event = addressOf(event), .stream = addressOf(stream)});
}

int elapsed(float* milliseconds, void* start, void* end, CallPlace at) {
  Call call(at);
  const int error = call.ask(ElapsedTime{.start = addressOf(start), .end = addressOf(end)});
  if (error == kSuccess) { *milliseconds = static_cast<float>(static_cast<double>(call.reply().value) * 1e-6); }
  return error;
}

int lastError(int clear, CallPlace at) {
  Call call(at);
  State& all = state();
  const int error = all.stickyError != kSuccess ? all.stickyError : all.lastError;
  call.ask(LastError{.clear = clear != 0});
  all.lastError = clear != 0 ? kSuccess : error;
  return error;
}

/// A call that fails without the parent: cudaGetLastError() returns `error` next.
int fail(int error) {
  const std::lock_guard lock(turns());
  return state().lastError = error;
}

/// Why the call before failed.
int failure() {
  const std::lock_guard lock(turns());
  return state().stickyError != kSuccess ? state().stickyError : state().lastError;
}

Symbol symbolOf(const void* kernel) {
  const auto known = state().kernels.find(kernel);
  return known == state().kernels.end() ? Symbol() : known->second;
}

int setAttribute(const void* kernel, int attribute, int value, CallPlace at) {
  Call call(at);
  const auto [name, file] = symbolOf(kernel);
  return call.ask(SetKernelAttribute{.kernel = name, .file = file, .attribute = attribute, .value = value});
}

long long kernelProperty(const void* kernel, const char* name, long long threads, long long shared) {
  Call call({nullptr, 0});
  const auto [symbol, file] = symbolOf(kernel);
  call.ask(
      KernelProperty{.kernel = symbol, .name = name, .file = file, .threads = threads, .dynamicSharedBytes = shared});
  return static_cast<long long>(call.reply().value);
}

long long property(const char* name) {
  const auto& properties = state().start->properties;
  const auto known = properties.find(name);
  return known == properties.end() ? 0 : known->second;
}

void deviceName(char* name, std::size_t bytes) { std::snprintf(name, bytes, "%s", state().start->deviceName.c_str()); }

/// As cudaMemoryType.
int memoryKind(const void* memory) {
  if (isDevice(memory)) { return 2; }
  const auto* at = static_cast<const std::byte*>(memory);
  for (const HostBlock& one : state().blocks) {
    if (at >= one.data && at < one.data + one.bytes) { return one.mapped ? 3 : 1; }
  }
  return 0;
}

void unsupported(const char* function, CallPlace at) { leave(Unsupported{function}, hostPlace(placeOf(at))); }

// What Clang's constructors call.
void** registerFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void ignoreFatBinary(void**) {}
int registerKernel(void**, const char* stub, char*, const char* name, int, void*, void*, void*, void*, int*) {
  state().kernels[stub] = {name, state().file};
  return 0;
}

/// As the compiler marks a managed variable instead of a constant one.
constexpr int kManagedVariable = 2;

void registerVariable(void**, char* shadow, char*, const char* name, int, std::size_t bytes, int kind, int) {
  State& all = state();
  all.symbols[shadow] = {name, all.file};
  Call call({nullptr, 0});
  if (kind == kManagedVariable) {
    // Host code uses the shadow itself.
    call.ask(Allocate{
        .bytes = bytes, .memory = HostMemory::Managed, .address = addressOf(shadow), .symbol = name, .file = all.file});
    if (call.reply().error == kSuccess) { all.blocks.push_back({reinterpret_cast<std::byte*>(shadow), bytes, false}); }
    return;
  }
  const std::array<std::span<const std::byte>, 1> initial{bytesAt(shadow, bytes)};
  call.ask(Variable{.symbol = name, .file = all.file, .bytes = bytes, .constant = kind != 0}, initial);
}
char initModule(void**) { return 0; }

// Of the C library.
int atExit(void (*function)(void*), void* argument, void*) {
  state().atExit.emplace_back(function, argument);
  return 0;
}
int atExitPlain(void (*function)()) {
  return atExit([](void* one) { reinterpret_cast<void (*)()>(one)(); }, reinterpret_cast<void*>(function), nullptr);
}
void exitWith(int status) { leaveWith(status); }
void exitAtOnce(int status) {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  leave(Ended{status});
}

template <typename Function>
void* of(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

GuestSymbols runtimeSymbols(Channel& channel, const HostStart& start) {
  state().channel = &channel;
  state().start = &start;
  GuestSymbols all{
      {"haloscope_allocate", of(allocate)},
      {"haloscope_fail", of(fail)},
      {"haloscope_failure", of(failure)},
      {"haloscope_register", of(registerMemory)},
      {"haloscope_free", of(release)},
      {"haloscope_copy", of(copy)},
      {"haloscope_fill", of(fill)},
      {"haloscope_symbol_copy", of(copySymbol)},
      {"haloscope_symbol_address", of(symbolAddress)},
      {"haloscope_configure", of(configure)},
      {"haloscope_launch", of(launch)},
      {"haloscope_synchronize", of(synchronize)},
      {"haloscope_create", of(create)},
      {"haloscope_destroy", of(destroy)},
      {"haloscope_record", of(record)},
      {"haloscope_elapsed", of(elapsed)},
      {"haloscope_error", of(lastError)},
      {"haloscope_set_attribute", of(setAttribute)},
      {"haloscope_kernel_property", of(kernelProperty)},
      {"haloscope_property", of(property)},
      {"haloscope_device_name", of(deviceName)},
      {"haloscope_memory_kind", of(memoryKind)},
      {"haloscope_unsupported", of(unsupported)},
      {"cudaLaunchKernel", of(launchConfigured)},
      {"__cudaPopCallConfiguration", of(configuration)},
      {"__cudaRegisterFatBinary", of(registerFatBinary)},
      {"__cudaRegisterFatBinaryEnd", of(ignoreFatBinary)},
      {"__cudaUnregisterFatBinary", of(ignoreFatBinary)},
      {"__cudaRegisterFunction", of(registerKernel)},
      {"__cudaRegisterVar", of(registerVariable)},
      {"__cudaInitModule", of(initModule)},
      {"__cxa_atexit", of(atExit)},
      {"atexit", of(atExitPlain)},
      {"exit", of(exitWith)},
      {"_exit", of(exitAtOnce)},
      {"_Exit", of(exitAtOnce)},
      {"quick_exit", of(exitAtOnce)},
  };
  all.merge(watchSymbols());
  return all;
}

void watchCallsOf(const Guest& guest) {
  watchCalls({.guest = &guest,
              .send =
                  [](const FunctionCall& message, const std::vector<std::span<const std::byte>>& parts) {
                    const std::lock_guard lock(turns());
                    if (!state().channel->send(encode(HostCall{message, {}}), parts)) { _exit(0); }
                  },
              .registered = [](std::uintptr_t address) -> std::span<const std::byte> {
                for (const HostBlock& one : state().blocks) {
                  const auto begin = reinterpret_cast<std::uintptr_t>(one.data);
                  // What a kernel may still be using is not to be looked at.
                  if (one.use == KernelUse::None && address >= begin && address < begin + one.bytes) {
                    return {one.data, one.bytes};
                  }
                }
                return {};
              }});
}

void beginFile(std::size_t file) { state().file = static_cast<std::uint32_t>(file); }

TextPlace currentCall() { return state().call; }

HostPlace hostPlace(TextPlace at) { return {.file = at.file, .line = at.line}; }

bool endEarlyAccess(std::uintptr_t address, TextPlace (*at)()) {
  State& all = state();
  for (HostBlock& one : all.blocks) {
    const auto begin = reinterpret_cast<std::uintptr_t>(one.data);
    if (one.use == KernelUse::None || address < begin || address >= begin + one.bytes) { continue; }
    one.setUse(KernelUse::None);
    if (const std::size_t index = all.earlyCount.fetch_add(1); index < all.early.size()) {
      Early& early = all.early[index];
      early.address = address;
      early.at = at();
      early.ready = true;
    }
    return true;
  }
  return false;
}

void checkHostFree(const void* memory, const char* function) {
  if (!isDevice(memory)) {
    if (!state().mapsMemory) { return; }
    const std::lock_guard lock(turns());
    const auto ofRuntime = [&](const HostBlock& one) { return one.mapped && one.data == memory; };
    if (std::ranges::none_of(state().blocks, ofRuntime)) { return; }
  }
  leave(Crashed{.signal = SIGABRT,
                .address = addressOf(memory),
                .deviceAddress = isDevice(memory),
                .stackOverflow = false,
                .inCall = false,
                .freedBy = function},
        hostPlace(placeOnStack()));
}

void leave(const HostMessage& last, const HostPlace& at) {
  reportNoted();
  state().channel->send(encode(HostCall{last, at}));
  _exit(0);
}

namespace {

/// The parent may want functions to be called again, as long as the program's objects are there.
void answerAfterMain(int status) {
  if (!state().start->watchesCalls) { return; }
  endWatchingCalls();
  Call call({nullptr, 0});
  Packet answer = call.exchange(Returned{.status = status});
  while (!call.reply().list.empty()) {
    const std::vector<std::uint64_t> request = call.reply().list;
    CalledAgain message;
    std::vector<std::span<const std::byte>> parts;
    const std::vector<std::vector<std::byte>> blocks = callAgain(request, answer.payload);
    for (const std::vector<std::byte>& block : blocks) {
      message.blocks.push_back(block.size());
      parts.emplace_back(block);
    }
    answer = call.exchange(message, parts);
  }
}

}  // namespace

void leaveWith(int status) {
  answerAfterMain(status);
  auto& functions = state().atExit;
  while (!functions.empty()) {
    const auto [function, argument] = functions.back();
    functions.pop_back();
    function(argument);
  }
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
  leave(Ended{status});
}

}  // namespace haloscope::host
