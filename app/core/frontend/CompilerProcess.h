#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "frontend/Messages.h"

/// The processes in which Clang reads texts, seen from the program that asks.
namespace haloscope::frontend {

/// The command word with which `haloscope` (program/HaloscopeProgram.h) is started as the server that forks them
/// (lowering/ServeCompiler.h). Its arguments are the version, a language and the folder of the translations.
inline constexpr const char* kCompilerCommand = "compiler-process";

/// What one request may take.
struct CompilerLimits {
  static constexpr std::chrono::seconds kProcessorTime{10};
  static constexpr std::chrono::seconds kTime{20};  ///< waiting included
  static constexpr std::size_t kMemoryBytes = std::size_t{2} << 30;
  /// Clang and the lowering recurse over nested code, which may nest deeply; only touched pages cost memory.
  static constexpr std::size_t kStackBytes = std::size_t{512} << 20;
};

/// What such a process says: packets whose message is one of these bytes.
enum class CompilerWord : std::uint8_t {
  Ready,           ///< the first one: it waits for a request
  Unconfined,      ///< the same, but it could be confined in time and memory alone
  Answered,        ///< the payload is an Answer
  TooMuchMemory,   ///< the process has ended for that
  TooMuchTime,     ///< likewise
  NestedTooDeeply  ///< likewise: its stack was used up
};

/// Has a request answered by a process that reads this text alone. A text that ended its process is not tried again for
/// half a minute, because a check asks for it again and again. That no process can be started is a Refusal, too.
[[nodiscard]] Answer ask(Request request);

/// Starts the server now, so that the first request finds it ready. Does not throw: a request will.
void prepareCompiler();

/// From now on requests are answered in this process, by `answer`, as fuzzers need it that see what their own process
/// executes. Nothing protects it from a text then.
void answerHere(std::function<Answer(const Request&)> answer);

}  // namespace haloscope::frontend
