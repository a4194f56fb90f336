#include "lowering/ServeCompiler.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <llvm/Support/ErrorHandling.h>

#include "codegen/ServeKernels.h"
#include "frontend/CompilerProcess.h"
#include "frontend/Messages.h"
#include "language/Language.h"
#include "lowering/LargeStack.h"
#include "lowering/Lowering.h"
#include "process/Confinement.h"
#include "process/ForkServer.h"
#include "program/Channel.h"
#include "program/HaloscopeProgram.h"

namespace haloscope::lowering {

namespace {

using frontend::CompilerLimits;
using frontend::CompilerWord;

/// For handlers, which can be given nothing else: where the process says why it ends.
int endingSocket = -1;
LargeStack* largeStack = nullptr;

/// Says why this process ends, and ends it. For handlers of signals and failed allocations: allocates nothing.
[[noreturn]] void endWith(CompilerWord word) {
  struct {
    std::uint64_t message = 1, payload = 0;
    std::byte word;
  } const packet{.word = std::byte{static_cast<std::uint8_t>(word)}};
  constexpr std::size_t kBytes = 2 * sizeof(std::uint64_t) + 1;
  static_cast<void>(send(endingSocket, &packet, kBytes, MSG_NOSIGNAL));
  _exit(1);
}

void endBySignal(int signal, siginfo_t* facts, void*) {
  if (signal == SIGXCPU) { endWith(CompilerWord::TooMuchTime); }
  if (largeStack->endsNear(facts->si_addr)) { endWith(CompilerWord::NestedTooDeeply); }
  _exit(1);
}

void handleEndings(int socket) {
  endingSocket = socket;
  static std::array<std::byte, std::size_t{64} << 10> signalStack;
  const stack_t stack{.ss_sp = signalStack.data(), .ss_flags = 0, .ss_size = signalStack.size()};
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = endBySignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGXCPU, SIGSEGV, SIGBUS}) { sigaction(signal, &action, nullptr); }
  std::set_new_handler([] { endWith(CompilerWord::TooMuchMemory); });
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { endWith(CompilerWord::TooMuchMemory); });
  llvm::install_fatal_error_handler([](void*, const char*, bool) { _exit(1); });
}

void say(Channel& channel, CompilerWord word, std::span<const std::byte> payload = {}) {
  const std::byte byte{static_cast<std::uint8_t>(word)};
  channel.send(std::span(&byte, 1), std::span(&payload, 1));
}

/// One text, in a process of its own, confined before it reads the first byte of it.
void serveText(const process::Isolation* isolation, int socket) {
  handleEndings(socket);
  CompilerWord first = CompilerWord::Unconfined;
  const process::ConfinementLimits limits{.memoryBytes = CompilerLimits::kMemoryBytes,
                                          .processorTime = CompilerLimits::kProcessorTime};
  std::optional<process::Confinement> confinement;
  try {
    if (isolation == nullptr) {
      process::limitResources(limits);
    } else {
      confinement.emplace(*isolation, limits, std::vector{socket});
      confinement->forbidNewCode();
      first = CompilerWord::Ready;
    }
  } catch (const process::ConfinementError&) {
    // The limits come first. Without them nothing is read.
    if (isolation == nullptr) { return; }
  }
  Channel channel(socket);
  say(channel, first);
  const std::optional<Packet> packet = channel.receive();
  if (!packet) { return; }
  std::vector<std::byte> bytes;
  largeStack->run([&] {
    try {
      bytes = encode(answer(frontend::decodeRequest(packet->payload)));
    } catch (const std::exception&) { _exit(1); }
  });
  say(channel, CompilerWord::Answered, bytes);
}

/// What every text needs of Clang is there before the first one comes: its tables, and the pages of its code.
void warmUp() {
  frontend::Request request;
  request.text = "__global__ void warm(float *a) { a[threadIdx.x] *= 2.0f; }";
  static_cast<void>(answer(request));
}

void serve() {
  LargeStack stack(CompilerLimits::kStackBytes);
  largeStack = &stack;
  std::optional<process::Isolation> isolation;
  try {
    isolation.emplace(std::vector{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, process::kForkServerSocket});
  } catch (const process::ConfinementError&) {}  // see serveText()
  warmUp();
  process::serveForks([&](int socket) { serveText(isolation ? &*isolation : nullptr, socket); });
}

}  // namespace

std::optional<int> serveIfAsked(int count, const char* const* arguments) {
  if (const std::optional<int> status = codegen::serveKernelsIfAsked(count, arguments)) { return status; }
  constexpr int kCount = 5;
  if (count != kCount || arguments[1] != std::string_view(frontend::kCompilerCommand)) {
    serveFromThisProgram();
    return std::nullopt;
  }
  if (arguments[2] != std::string_view(HALOSCOPE_VERSION)) { return 1; }
  try {
    if (const std::optional<Language> language = languageWithCode(arguments[3])) {
      setLanguageFolder(arguments[4]);
      setLanguage(*language);
    }
    serve();
    return 0;
  } catch (const std::exception&) { return 1; }
}

}  // namespace haloscope::lowering
