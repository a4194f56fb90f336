#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "grading/Record.h"
#include "grading/Snapshot.h"

/// A hand-in is judged in a process of its own, which this program starts, limits and listens to.
namespace haloscope::grading {

/// The command word with which Haloscope starts itself as one of these, and the descriptor for its answer, a record as
/// JSON.
inline constexpr const char* kGradeCommand = "grade-process";
inline constexpr int kAnswerFile = 3;

/// What judging one hand-in may take.
struct HandInLimits {
  std::chrono::seconds seconds{20};                ///< of processors, and of the clock
  std::size_t memoryBytes = std::size_t{3} << 30;  ///< of addresses, beyond what the process begins with
  static constexpr std::size_t kAnswerBytes = std::size_t{16} << 20;
};

/// The process's side, before it opens anything: from now on it is ended when it exceeds the limits, or with the
/// process that started it. Throws std::system_error.
void limitThisProcess(const HandInLimits& limits);

/// What a process is started for.
struct HandInTask {
  const Snapshot* handIn = nullptr;
  const Snapshot* reference = nullptr;   ///< null: none
  std::vector<std::string> arguments{};  ///< further ones of kGradeCommand
  std::filesystem::path executable{};    ///< Haloscope's program; empty: the running one
};

/// The process was asked to stop.
struct Interrupted {};

/// Judges a hand-in. Never throws for what a hand-in does. Throws InputError if no process can be started, or there is
/// no room for the files.
[[nodiscard]] std::variant<Record, Interrupted> judgeInProcess(const HandInTask& task, const HandInLimits& limits,
                                                               const std::stop_token& stop);

}  // namespace haloscope::grading
