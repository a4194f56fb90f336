#pragma once

#include <csignal>

#include "process/NamedFiles.h"
#include "process/TrappedCall.h"

namespace haloscope::process {

/// As a program's process answers, which has been given no file.
inline void answerTrappedCall(int, siginfo_t* info, void* context) {
  if (!TrappedCall::isOne(*info)) { return; }
  TrappedCall call(*info, context);
  answerFileCall(call, [] { return TextPlace{.file = "main.cu", .line = 7}; });
}

inline void answerTrappedCalls() {
  struct sigaction action{};
  action.sa_sigaction = answerTrappedCall;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSYS, &action, nullptr);
}

}  // namespace haloscope::process
