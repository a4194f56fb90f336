#pragma once

#include <sys/ucontext.h>

#include <csignal>
#include <cstdint>

namespace haloscope::process {

/// A system call that the filter has handed to this process's handler of SIGSYS instead of executing it.
class TrappedCall {
 public:
  /// What the handler is given.
  TrappedCall(const siginfo_t& info, void* context)
      : number_(info.si_syscall), registers_(static_cast<ucontext_t*>(context)->uc_mcontext) {}

  /// Whether a signal comes from the filter; any process can send itself a SIGSYS.
  [[nodiscard]] static bool isOne(const siginfo_t& info) { return info.si_signo == SIGSYS && info.si_code == kFilter; }
  [[nodiscard]] long number() const { return number_; }
#if defined(__x86_64__)
  [[nodiscard]] std::uint64_t argument(unsigned index) const {
    static constexpr int kRegisters[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    return static_cast<std::uint64_t>(registers_.gregs[kRegisters[index]]);
  }
  /// Makes the call return this: a negative errno after a failure.
  void answer(long result) { registers_.gregs[REG_RAX] = result; }
#else
  [[nodiscard]] std::uint64_t argument(unsigned index) const { return registers_.regs[index]; }
  void answer(long result) { registers_.regs[0] = static_cast<std::uint64_t>(result); }
#endif

 private:
  static constexpr int kFilter = 1;  ///< SYS_SECCOMP

  long number_;
  mcontext_t& registers_;
};

}  // namespace haloscope::process
