#pragma once

#include "frontend/CompilerProcess.h"
#include "lowering/LargeStack.h"
#include "lowering/Lowering.h"

namespace haloscope::fuzz {

/// Clang and the lowering run in the fuzzer's own process, where libFuzzer sees what they execute.
inline void lowerHere() {
  frontend::answerHere([](const frontend::Request& request) {
    lowering::LargeStack stack(frontend::CompilerLimits::kStackBytes);
    frontend::Answer answer;
    stack.run([&] { answer = lowering::answer(request); });
    return answer;
  });
}

}  // namespace haloscope::fuzz
