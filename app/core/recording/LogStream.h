#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "program/BlockLog.h"
#include "program/Program.h"

namespace haloscope::recording {

/// A log that does not fit the program.
class LogError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The GPU did something that no instruction of the program says: reported, not left out.
[[nodiscard]] LogError unknownAccess(const LogSite& site);

/// Of `c ? f(x) : y` the log does not show where the lanes that do not call wait for the others.
[[nodiscard]] LogError skippedCall(const LogSite& site);

/// One entry of a thread, at the call depth at which it was written.
struct LogEntry {
  LogKind kind = LogKind::Statement;
  std::uint32_t site = 0;      ///< of a Primitive, a LogPrimitive
  std::uint32_t function = 0;  ///< index into Program::functions
  std::span<const std::uint32_t> payload;
};

/// A statement as a thread ran it, or what was left of one after a call.
struct LogUnit {
  std::uint32_t instruction = 0;  ///< its Statement instruction
  std::uint32_t clock = 0;
  std::uint32_t firstEntry = 0, entryCount = 0;
  std::uint32_t statements = 0;  ///< Statement entries of the thread up to and including this unit's
};

/// The source positions of the statements and calls of a program.
class ProgramPlaces {
 public:
  explicit ProgramPlaces(const Program& program);

  /// The Statement instruction of the statement that begins there in a function; throws LogError.
  [[nodiscard]] std::uint32_t statement(std::uint32_t function, const LogSite& site) const;
  /// The function that a call in another one runs; throws LogError.
  [[nodiscard]] std::uint32_t callee(std::uint32_t function, const SourceRange& call) const;
  /// The instruction at which the calling statement goes on, or kNone.
  [[nodiscard]] std::uint32_t resume(std::uint32_t function) const { return resumes_[function]; }
  /// One past the last instruction of the unit that begins at a Statement instruction.
  [[nodiscard]] std::uint32_t end(std::uint32_t instruction) const { return ends_[instruction]; }
  /// Whether an instruction of the statement that a unit is the begin of comes later, after a function was called.
  [[nodiscard]] bool comesLater(std::uint32_t begin, const std::function<bool(const Instruction&)>& wanted) const;
  /// Loops around an instruction, the outermost first: indices of their Loop instructions.
  [[nodiscard]] const std::vector<std::uint32_t>& loops(std::uint32_t instruction) const {
    return chains_[chainOf_[instruction]];
  }

 private:
  const Program& program_;
  using Begin = std::pair<StatementKind, std::pair<int, int>>;
  using Range = std::pair<std::pair<int, int>, std::pair<int, int>>;
  std::map<std::pair<std::uint32_t, Begin>, std::uint32_t> statements_;
  std::map<std::pair<std::uint32_t, Range>, std::uint32_t> callees_;
  std::vector<std::uint32_t> resumes_, ends_;
  std::vector<std::vector<std::uint32_t>> chains_;
  std::vector<std::uint32_t> chainOf_;
};

/// What one thread wrote, cut into statements.
struct LogStream {
  std::vector<LogUnit> units;
  std::vector<LogEntry> entries;

  LogStream() = default;
  /// Throws LogError.
  LogStream(std::span<const std::uint32_t> words, const std::vector<LogSite>& sites, const ProgramPlaces& places);
};

}  // namespace haloscope::recording
