#include "host/ServeHost.h"

#include <llvm/Support/ErrorHandling.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "host/ComparedValues.h"
#include "host/Faults.h"
#include "host/Guest.h"
#include "host/HostCompiler.h"
#include "host/HostMessages.h"
#include "host/Runtime.h"
#include "language/Text.h"
#include "process/Confinement.h"
#include "process/NamedFiles.h"
#include "program/Channel.h"
#include "program/SourceLocation.h"

namespace haloscope::host {

namespace {

using Bytes = std::vector<std::byte>;

/// The objects of the program: those that came with the task, or newly compiled ones, which the parent gets for the
/// next time. None if the program does not compile.
std::optional<std::vector<Bytes>> objectsOf(const HostStart& start, const Bytes& payload, const SystemHeaders& headers,
                                            Channel& channel) {
  std::vector<Bytes> objects;
  if (!start.objectBytes.empty()) {
    std::size_t at = 0;
    for (const std::uint64_t bytes : start.objectBytes) {
      objects.emplace_back(payload.begin() + static_cast<std::ptrdiff_t>(at),
                           payload.begin() + static_cast<std::ptrdiff_t>(at + bytes));
      at += bytes;
    }
    return objects;
  }
  Rejected rejected;
  for (std::size_t i = 0; i < start.program.files.size(); ++i) {
    CompiledFile file = compileHost(start.program, i, headers, start.notesComparisons);
    for (HostDiagnostic& one : file.problems) { rejected.problems.push_back(std::move(one)); }
    objects.push_back(std::move(file.object));
  }
  if (!rejected.problems.empty()) {
    channel.send(encode(HostCall{std::move(rejected)}));
    return std::nullopt;
  }
  Compiled compiled;
  std::vector<std::span<const std::byte>> parts;
  for (const Bytes& object : objects) {
    compiled.objectBytes.push_back(object.size());
    parts.emplace_back(object);
  }
  channel.send(encode(HostCall{compiled}), parts);
  return objects;
}

/// For compiling; what the program itself may use is more.
constexpr std::size_t kCompilerBytes = std::size_t{2} << 30;

/// For handlers, which can be given nothing else.
struct {
  const process::Confinement* confinement = nullptr;
  std::size_t memoryBytes = 0;
  Channel* channel = nullptr;
} compiling;

/// Clang cannot go on without the memory that it asks for. There is more, but not for it.
[[noreturn]] void endCompiling() {
  compiling.confinement->limitMemory(compiling.memoryBytes);
  Rejected rejected;
  rejected.problems.emplace_back().message =
      trf("the compiler needed more than {} GB of memory for this text", kCompilerBytes >> 30U);
  compiling.channel->send(encode(HostCall{std::move(rejected)}));
  _exit(1);
}

/// What objectsOf() may use is limited more narrowly than what the program may.
class LimitedCompiler {
 public:
  LimitedCompiler(const process::Confinement& confinement, std::size_t memoryBytes, Channel& channel) {
    compiling = {&confinement, memoryBytes, &channel};
    confinement.limitMemory(kCompilerBytes);
    std::set_new_handler(endCompiling);
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { endCompiling(); });
  }
  LimitedCompiler(const LimitedCompiler&) = delete;
  LimitedCompiler& operator=(const LimitedCompiler&) = delete;
  ~LimitedCompiler() {
    llvm::remove_bad_alloc_error_handler();
    std::set_new_handler(nullptr);
    compiling.confinement->limitMemory(compiling.memoryBytes);
  }
};

constexpr unsigned kMaxThreads = 64;
/// As main() has on Linux.
constexpr std::size_t kStackBytes = std::size_t{8} << 20;

/// Runs `task` in a thread of its own, without an exception handler below it: what it does not catch is reported where
/// it is thrown.
void runOnItsOwnStack(std::function<void()> task) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread{};
  const auto call = [](void* given) -> void* {
    (*static_cast<std::function<void()>*>(given))();
    return nullptr;
  };
  const int error = pthread_create(&thread, &attributes, call, &task);
  if (error != 0) { throw std::system_error(error, std::generic_category(), "a thread for the program"); }
  pthread_join(thread, nullptr);
}

void serve(const HostLimits& limits, Channel& channel) {
  const SystemHeaders headers = SystemHeaders::find(limits.compilerHeaders);
  process::Confinement confinement({.memoryBytes = limits.memoryBytes,
                                    .processorTime = limits.compileTime + limits.runTime,
                                    .threads = kMaxThreads,
                                    .namedFiles = true},
                                   {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, kHostSocket}, headers.folders());
  const std::optional<Packet> task = channel.receive();
  if (!task) { return; }
  const HostStart start = decodeStart(task->message);
  std::optional<std::vector<Bytes>> objects;
  {
    const LimitedCompiler limited(confinement, limits.memoryBytes, channel);
    objects = objectsOf(start, task->payload, headers, channel);
  }
  if (!objects) { return; }
  confinement.forbidFiles();
  const std::vector<std::span<const std::byte>> views(objects->begin(), objects->end());
  const Guest guest(views, runtimeSymbols(channel, start));
  if (!guest.problems().empty()) {
    channel.send(encode(HostCall{Rejected{.problems = guest.problems(), .lacksMain = guest.lacksMain()}}));
    return;
  }
  process::nameFiles(start.files);
  reportFaults(guest);
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  confinement.forbidNewCode(limits.runTime);
  channel.send(encode(HostCall{Began{}}));
  runOnItsOwnStack([&] {
    reportFaults(guest);
    if (start.watchesCalls) { watchCallsOf(guest); }
    if (start.gathersArrays) { gatherArraysOf(guest); }
    if (start.notesComparisons) { noteComparisons(); }
    leaveWith(guest.run(start.arguments, beginFile));
  });
}

}  // namespace

int serveHost(const HostLimits& limits) {
  Channel channel(kHostSocket);
  try {
    serve(limits, channel);
  } catch (const std::exception& problem) { channel.send(encode(HostCall{Failed{problem.what()}})); }
  return 0;
}

}  // namespace haloscope::host
