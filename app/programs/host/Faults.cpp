#include "host/Faults.h"

#include <cxxabi.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <typeinfo>

#include "host/Arguments.h"
#include "host/EarlyAccesses.h"
#include "host/Runtime.h"
#include "process/NamedFiles.h"
#include "process/TrappedCall.h"

namespace haloscope::host {

namespace {

const Guest* reported = nullptr;

/// Large enough for the report: encoding it allocates, but needs little stack.
alignas(64) std::array<std::byte, std::size_t{256} << 10> signalStack;

constexpr std::array kSignals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
/// The whole report must be made in this time: the heap may be damaged, and its lock held.
constexpr unsigned kReportSeconds = 2;

/// The call of the runtime that the program is in, or its innermost function.
process::TextPlace placeOfFault() { return currentCall().line != 0 ? currentCall() : placeOnStack(); }

std::uintptr_t stackPointer(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#else
  return static_cast<std::uintptr_t>(context.uc_mcontext.sp);
#endif
}

std::uintptr_t instruction(const mcontext_t& registers) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
#else
  return static_cast<std::uintptr_t>(registers.pc);
#endif
}

/// Whether the access that failed would have written; false where that is not known.
bool isWrite([[maybe_unused]] const mcontext_t& registers) {
#if defined(__x86_64__)
  constexpr greg_t kWrite = 2;
  return (registers.gregs[REG_ERR] & kWrite) != 0;
#else
  return false;
#endif
}

/// Whether the program stops behind its next instruction, with SIGTRAP.
void setSingleStep([[maybe_unused]] mcontext_t& registers, [[maybe_unused]] bool on) {
#if defined(__x86_64__)
  constexpr greg_t kTrap = 0x100;
  registers.gregs[REG_EFL] = on ? registers.gregs[REG_EFL] | kTrap : registers.gregs[REG_EFL] & ~kTrap;
#endif
}

void onSignal(int signal, siginfo_t* info, void* context) {
  if (process::TrappedCall::isOne(*info)) {
    process::TrappedCall call(*info, context);
    return process::answerFileCall(call, placeOfFault);
  }
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  if (signal == SIGSEGV && info->si_code == SEGV_ACCERR) {
    const auto early = runtime::beginEarlyAccess({.address = reinterpret_cast<std::uintptr_t>(info->si_addr),
                                                  .code = instruction(registers),
                                                  .writes = isWrite(registers)},
                                                 placeOfFault);
    if (early == runtime::Early::Watched) { setSingleStep(registers, true); }
    if (early != runtime::Early::Not) { return; }
  }
  if (signal == SIGTRAP && runtime::endEarlyAccess()) { return setSingleStep(registers, false); }
  if (signal == SIGSEGV && readsMissedArgument(reinterpret_cast<std::uintptr_t>(info->si_addr))) { return; }
  for (const int one : kSignals) { std::signal(one, SIG_DFL); }
  alarm(kReportSeconds);
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  // An address that no process can have is not given: the processor reports it without one.
  const bool deviceAddress = signal == SIGSEGV && info->si_code == SI_KERNEL;
  constexpr std::uintptr_t kNear = 64 << 10;
  const std::uintptr_t stack = stackPointer(*static_cast<const ucontext_t*>(context));
  const bool overflow = signal == SIGSEGV && !deviceAddress && address + kNear > stack && address < stack + kNear;
  leave(Crashed{.signal = signal,
                .address = address,
                .deviceAddress = deviceAddress,
                .stackOverflow = overflow,
                .inCall = currentCall().line != 0,
                .freedBy = {},
                .missedArgument = missedArgument()},
        hostPlace(placeOfFault()));
}

void onTerminate() {
  alarm(kReportSeconds);
  Uncaught uncaught;
  uncaught.missedArgument = missedArgument();
  if (const std::type_info* type = abi::__cxa_current_exception_type()) {
    int status = 0;
    char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
    uncaught.type = name != nullptr ? name : type->name();
  }
  try {
    if (const std::exception_ptr current = std::current_exception()) { std::rethrow_exception(current); }
  } catch (const std::exception& one) { uncaught.message = one.what(); } catch (...) {
  }
  std::fflush(nullptr);
  leave(uncaught, hostPlace(placeOnStack()));
}

}  // namespace

process::TextPlace placeOnStack() {
  process::TextPlace found;
  if (reported == nullptr) { return found; }
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* into) {
        int before = 0;
        std::uintptr_t code = _Unwind_GetIPInfo(context, &before);
        // A return address is that of the next instruction.
        if (before == 0 && code != 0) { --code; }
        const process::TextPlace place = reported->placeOf(code);
        if (place.line == 0) { return _URC_NO_REASON; }
        *static_cast<process::TextPlace*>(into) = place;
        return _URC_NORMAL_STOP;
      },
      &found);
  return found;
}

void reportFaults(const Guest& guest) {
  reported = &guest;
  stack_t stack{};
  stack.ss_sp = signalStack.data();
  stack.ss_size = signalStack.size();
  sigaltstack(&stack, nullptr);
  for (const int one : kSignals) {
    struct sigaction action{};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(one, &action, nullptr);
  }
  std::set_terminate(onTerminate);
  // The unwinder allocates and locks when it is used first: not in a handler.
  static_cast<void>(placeOnStack());
}

}  // namespace haloscope::host
