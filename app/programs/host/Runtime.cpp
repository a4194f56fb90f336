#include "host/Runtime.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <mutex>
#include <utility>
#include <variant>

#include "host/ArrayGathering.h"
#include "host/CallWatch.h"
#include "host/ComparedValues.h"
#include "host/Faults.h"
#include "host/HostHeap.h"
#include "host/RepeatableTime.h"
#include "host/RuntimeCall.h"
#include "host/RuntimeGraphs.h"
#include "host/RuntimePictures.h"
#include "process/NamedFiles.h"

namespace haloscope::host {

namespace runtime {

State& state() {
  static State one;
  return one;
}

std::recursive_mutex& turns() {
  static std::recursive_mutex one;
  return one;
}

TextPlace placeOf(const CallPlace& at) {
  if (isOnStack(at)) { return placeOnStack(); }
  return at.file == nullptr ? TextPlace() : TextPlace{.file = at.file, .line = at.line};
}

void reportNoted() {
  State& all = state();
  while (const std::optional<EarlyRun> one = takeEarlyRun()) {
    const EarlyAccess access{.address = one->address, .step = one->step, .count = one->count, .writes = one->writes};
    all.channel->send(encode(HostCall{access, hostPlace(one->at)}));
  }
  for (process::AskedFile& one : process::takeAskedFiles()) {
    all.channel->send(encode(HostCall{FileRefused{std::move(one.name), one.how}, hostPlace(one.at)}));
  }
}

void waited() {
  for (HostBlock& one : state().blocks) { one.setUse(KernelUse::None); }
}

int failed(int error) { return state().lastError = error; }

namespace {

/// Reads a byte of each page: memory that the program does not have is a fault of its own, not of sending it.
void touch(std::span<const std::byte> bytes) {
  constexpr std::size_t kPage = 4096;
  for (std::size_t at = 0; at < bytes.size(); at += kPage) {
    static_cast<void>(*static_cast<const volatile std::byte*>(&bytes[at]));
  }
  if (!bytes.empty()) { static_cast<void>(*static_cast<const volatile std::byte*>(&bytes.back())); }
}

}  // namespace

namespace {

/// Each thread has its own; the parent knows that of the last call.
thread_local int usedDevice = 0;

void tellDevice() {
  static int told = 0;
  if (std::exchange(told, usedDevice) == usedDevice) { return; }
  state().channel->send(encode(HostCall{UseDevice{static_cast<std::uint32_t>(usedDevice)}, hostPlace(state().call)}));
}

}  // namespace

Call::Call(const CallPlace& at) : lock_(turns()) {
  noteRuntimeCall();
  state().call = placeOf(at);
}
Call::~Call() { state().call = {}; }

Packet Call::exchange(const HostMessage& message, std::span<const std::span<const std::byte>> payload) {
  State& all = state();
  std::cout.flush();
  std::clog.flush();
  std::fflush(stdout);
  // What belongs to the call before comes right after it.
  const bool continues =
      std::holds_alternative<CopiedRows>(message) || std::holds_alternative<LaunchArguments>(message);
  if (!continues) {
    reportNoted();
    tellDevice();
  }
  for (const std::span<const std::byte> part : payload) { touch(part); }
  if (!all.channel->send(encode(HostCall{message, hostPlace(all.call)}), payload)) { _exit(0); }
  std::optional<Packet> answer = all.channel->receive();
  if (!answer) { _exit(0); }
  reply_ = decodeReply(answer->message);
  if (reply_.error != kSuccess) { all.lastError = reply_.error; }
  if (reply_.sticky) { all.stickyError = reply_.error; }
  return std::move(*answer);
}

namespace {

struct Configuration {
  CallDim3 grid{}, block{};
  std::size_t shared = 0;
  void* stream = nullptr;
  CallPlace at{};
};

thread_local std::vector<Configuration> configurations;

std::array<std::uint32_t, 3> three(const unsigned* values) { return {values[0], values[1], values[2]}; }

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

Symbol symbolOf(const void* kernel) {
  const auto known = state().kernels.find(kernel);
  return known == state().kernels.end() ? Symbol() : known->second;
}

long long kernelProperty(const void* kernel, const char* name, long long threads, long long shared) {
  Call call({nullptr, 0});
  const auto [symbol, file] = symbolOf(kernel);
  call.ask(
      KernelProperty{.kernel = symbol, .name = name, .file = file, .threads = threads, .dynamicSharedBytes = shared});
  return static_cast<long long>(call.reply().value);
}

/// A launch with what it is given, for later.
struct KeptLaunch {
  const void* kernel;
  std::array<unsigned, 3> grid, block;
  std::vector<std::vector<std::byte>> arguments;
  std::size_t shared;
  std::array<unsigned, 4> how;
  CallPlace at;
};

KeptLaunch kept(const void* kernel, const unsigned* grid, const unsigned* block, void** arguments, std::size_t shared,
                const unsigned* how, CallPlace at) {
  KeptLaunch one{.kernel = kernel,
                 .grid = {grid[0], grid[1], grid[2]},
                 .block = {block[0], block[1], block[2]},
                 .arguments = {},
                 .shared = shared,
                 .how = {how[0], how[1], how[2], how[3]},
                 .at = at};
  for (long long i = 0;; ++i) {
    const long long bytes = kernelProperty(kernel, "argumentBytes", i, 0);
    if (bytes <= 0) { return one; }
    const auto* const from = static_cast<const std::byte*>(arguments[i]);
    one.arguments.emplace_back(from, from + bytes);
  }
}

int launch(const void* kernel, const unsigned* grid, const unsigned* block, void** arguments, std::size_t shared,
           void* stream, const unsigned* how, CallPlace at);

StreamWork workOf(KeptLaunch one) {
  return [one = std::move(one)](void* stream) mutable {
    std::vector<void*> arguments;
    for (std::vector<std::byte>& bytes : one.arguments) { arguments.push_back(bytes.data()); }
    return launch(one.kernel, one.grid.data(), one.block.data(), arguments.data(), one.shared, stream, one.how.data(),
                  one.at);
  };
}

std::size_t addLaunch(const graphs::Place* where, const CallLaunch* one, CallPlace at) {
  const Call call(at);
  constexpr std::array<unsigned, 4> kPlainly{};
  return graphs::put(
      where, workOf(kept(one->kernel, &one->grid.x, &one->block.x, one->arguments, one->shared, kPlainly.data(), at)));
}

int launch(const void* kernel, const unsigned* grid, const unsigned* block, void** arguments, std::size_t shared,
           void* stream, const unsigned* how, CallPlace at) {
  const TextPlace configured = state().call;
  Call call(at);
  State& all = state();
  if (at.file == nullptr) { all.call = configured; }
  if (const int error = errorOfDefault(stream); error != kSuccess) { return error; }
  if (isCaptured(stream)) {
    const CallPlace place = at.file == nullptr ? CallPlace{configured.file, configured.line} : at;
    keepFor(stream, workOf(kept(kernel, grid, block, arguments, shared, how, place)));
    return kSuccess;
  }
  const auto known = all.kernels.find(kernel);
  if (known == all.kernels.end()) { return failed(kInvalidDeviceFunction); }
  const int refused = call.ask(LaunchCall{.kernel = known->second.name,
                                          .file = known->second.file,
                                          .grid = three(grid),
                                          .block = three(block),
                                          .dynamicSharedBytes = shared,
                                          .stream = addressOf(stream),
                                          .cooperative = how[0] != 0,
                                          .cluster = three(how + 1)});
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
  if (call.reply().given > 0) { giveArray(call.reply().given - 1, std::span(answer.payload).subspan(at_)); }
  const std::vector<std::uint64_t>& uses = call.reply().list;
  for (std::size_t i = 0; i < std::min(uses.size(), all.blocks.size()); ++i) {
    opened.add(i, static_cast<KernelUse>(uses[i]));
  }
  return call.reply().error;
}

int launchConfigured(const void* kernel, CallDim3 grid, CallDim3 block, void** arguments, std::size_t shared,
                     void* stream) {
  constexpr std::array<unsigned, 4> kPlainly{};
  return launch(kernel, &grid.x, &block.x, arguments, shared, stream, kPlainly.data(), {nullptr, 0});
}

int synchronize(int what, const void* object, CallPlace at) {
  Call call(at);
  if (static_cast<Synchronize::What>(what) == Synchronize::What::Stream) {
    if (const int error = errorOfWaiting(object); error != kSuccess) { return error; }
  } else if (static_cast<Synchronize::What>(what) == Synchronize::What::Device) {
    if (const int error = errorOfWaitingForDevice(); error != kSuccess) { return error; }
  }
  const int error = call.ask(Synchronize{.what = static_cast<Synchronize::What>(what), .object = addressOf(object)});
  // Other streams may still be at work.
  const std::vector<std::uint64_t>& uses = call.reply().list;
  auto& blocks = state().blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto use = static_cast<KernelUse>(i < uses.size() ? uses[i] : 0);
    blocks[i].setUse(std::min(blocks[i].use, use));
  }
  return error;
}

constexpr int kEvent = 2;

void* create(int what, unsigned flags, CallPlace at) {
  constexpr unsigned kNonBlocking = 1;
  Call call(at);
  const bool nonBlocking = what != kEvent && (flags & kNonBlocking) != 0;
  call.ask(Create{.event = what == kEvent, .nonBlocking = nonBlocking});
  auto* const made = reinterpret_cast<void*>(call.reply().value);
  noteStream(made, nonBlocking);
  return made;
}

/// Whether the stream is captured: then the function is called when the graph is launched.
int keepCall(const void* stream, void (*function)(void*), void* data, CallPlace at) {
  const Call call(at);
  if (!isCaptured(stream)) { return 0; }
  keepFor(stream, [=](void* where) {
    const int error = synchronize(static_cast<int>(Synchronize::What::Stream), where, at);
    function(data);
    return error;
  });
  return 1;
}

int destroy(int what, void* object, CallPlace at) {
  Call call(at);
  return call.ask(Destroy{.event = what == kEvent, .object = addressOf(object)});
}

int record(void* event, void* stream, CallPlace at) {
  Call call(at);
  if (keepRecord(event, stream)) { return kSuccess; }
  return call.ask(RecordEvent{.event = addressOf(event), .stream = addressOf(stream), .ofLibrary = at.file == nullptr});
}

int waitFor(void* stream, void* event, CallPlace at) {
  Call call(at);
  if (keepWait(stream, event)) { return kSuccess; }
  return call.ask(WaitEvent{.stream = addressOf(stream), .event = addressOf(event)});
}

void useDevice(int device) { usedDevice = device; }

int deviceUsed() { return usedDevice; }

void enablePeer(int device, CallPlace at) {
  const Call call(at);
  tellDevice();
  state().channel->send(encode(HostCall{EnablePeer{static_cast<std::uint32_t>(device)}, hostPlace(state().call)}));
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

int setAttribute(const void* kernel, int attribute, int value, CallPlace at) {
  Call call(at);
  const auto [name, file] = symbolOf(kernel);
  return call.ask(SetKernelAttribute{.kernel = name, .file = file, .attribute = attribute, .value = value});
}

long long property(const char* name) {
  const auto& properties = state().start->properties;
  const auto known = properties.find(name);
  return known == properties.end() ? 0 : known->second;
}

void deviceName(char* name, std::size_t bytes) { std::snprintf(name, bytes, "%s", state().start->deviceName.c_str()); }

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

}  // namespace
}  // namespace runtime

GuestSymbols runtimeSymbols(Channel& channel, const HostStart& start) {
  using namespace runtime;
  state().channel = &channel;
  state().start = &start;
  GuestSymbols all{
      {"haloscope_fail", of(fail)},
      {"haloscope_failure", of(failure)},
      {"haloscope_configure", of(configure)},
      {"haloscope_launch", of(launch)},
      {"haloscope_graph_kernel", of(addLaunch)},
      {"haloscope_capture_call", of(keepCall)},
      {"haloscope_synchronize", of(synchronize)},
      {"haloscope_create", of(create)},
      {"haloscope_destroy", of(destroy)},
      {"haloscope_record", of(record)},
      {"haloscope_wait", of(waitFor)},
      {"haloscope_use_device", of(useDevice)},
      {"haloscope_device_used", of(deviceUsed)},
      {"haloscope_enable_peer", of(enablePeer)},
      {"haloscope_elapsed", of(elapsed)},
      {"haloscope_error", of(lastError)},
      {"haloscope_set_attribute", of(setAttribute)},
      {"haloscope_kernel_property", of(kernelProperty)},
      {"haloscope_property", of(property)},
      {"haloscope_device_name", of(deviceName)},
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
  all.merge(runtime::memorySymbols());
  all.merge(runtime::graphSymbols());
  all.merge(pictureSymbols());
  all.merge(watchSymbols());
  if (start.notesComparisons) { all.merge(comparisonSymbols()); }
  all.merge(heapSymbols());
  if (start.repeatable) { all.merge(repeatableTime()); }
  return all;
}

void watchCallsOf(const Guest& guest) {
  watchCalls({.guest = &guest,
              .send =
                  [](const FunctionCall& message, const std::vector<std::span<const std::byte>>& parts) {
                    const std::lock_guard lock(runtime::turns());
                    if (!runtime::state().channel->send(encode(HostCall{message, {}}), parts)) { _exit(0); }
                  },
              .registered = [](std::uintptr_t address) -> std::span<const std::byte> {
                for (const runtime::HostBlock& one : runtime::state().blocks) {
                  const auto begin = reinterpret_cast<std::uintptr_t>(one.data);
                  // What a kernel may still be using is not to be looked at.
                  if (one.use == KernelUse::None && address >= begin && address < begin + one.bytes) {
                    return {one.data, one.bytes};
                  }
                }
                return {};
              }});
}

void gatherArraysOf(const Guest& guest) {
  runtime::state().guest = &guest;
  gatherArrays();
}

void beginFile(std::size_t file) { runtime::state().file = static_cast<std::uint32_t>(file); }

process::TextPlace currentCall() { return runtime::state().call; }

HostPlace hostPlace(process::TextPlace at) { return {.file = at.file, .line = at.line}; }

void leave(const HostMessage& last, const HostPlace& at) {
  runtime::reportNoted();
  runtime::state().channel->send(encode(HostCall{last, at}));
  _exit(0);
}

namespace {

/// The parent may want functions to be called again, as long as the program's objects are there.
void answerAfterMain(int status) {
  if (!runtime::state().start->watchesCalls) { return; }
  std::vector<std::uint64_t> unchanged = unchangedResults();
  endWatchingCalls();
  runtime::Call call({nullptr, 0});
  Packet answer = call.exchange(Returned{.status = status, .unchanged = std::move(unchanged)});
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

template <class Message>
void sendArrays(Message message, const std::vector<std::vector<std::byte>>& arrays) {
  std::vector<std::span<const std::byte>> parts;
  for (const std::vector<std::byte>& array : arrays) {
    message.bytes.push_back(array.size());
    parts.emplace_back(array);
  }
  runtime::state().channel->send(encode(HostCall{std::move(message)}), parts);
}

void sendGatheredArrays() {
  if (!runtime::state().start->gathersArrays || runtime::state().guest == nullptr) { return; }
  const std::lock_guard lock(runtime::turns());
  sendArrays(GatheredArrays{}, gatheredArrays(*runtime::state().guest));
}

void sendComparedArrays() {
  if (!runtime::state().start->notesComparisons) { return; }
  const std::lock_guard lock(runtime::turns());
  sendArrays(ComparedArrays{}, comparedValues());
}

}  // namespace

void leaveWith(int status) {
  answerAfterMain(status);
  sendGatheredArrays();
  sendComparedArrays();
  auto& functions = runtime::state().atExit;
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
