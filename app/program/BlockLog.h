#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "program/Program.h"
#include "program/SourceLocation.h"

/// What an instrumented kernel writes while it runs: for each thread of one block a stream of entries, in 32-bit words.
/// An entry is its head, `kind << 28 | payload words << 20 | site`, and its payload. Values take whole words, the low
/// one first; an address takes two.
namespace haloscope {

enum class LogKind : std::uint8_t {
  Statement = 1,  ///< a statement begins; payload: the multiprocessor's clock, low word
  Load,           ///< address, value read
  Store,          ///< address, value written
  Variable,       ///< value assigned to a variable
  Atomic,         ///< address, value before, first operand, and the second where there is one
  Enter,          ///< a call begins: its arguments come next
  Begin,          ///< ... its body
  Leave,          ///< ... it is over
  Place,          ///< address of an array
};

inline constexpr std::uint32_t kLogKindShift = 28;
inline constexpr std::uint32_t kLogPayloadShift = 20;
inline constexpr std::uint32_t kLogPayloadMask = 0xff;
inline constexpr std::uint32_t kLogSiteMask = 0xfffff;

/// A place of the text that writes entries.
struct LogSite {
  LogKind kind = LogKind::Statement;
  /// Of Load, Store and Atomic: the range that the instructions have. Of Statement: its begin. Of Enter: the call.
  SourceRange range{};
  StatementKind statement = StatementKind::Expression;
  SourceRange declared{};   ///< of Variable and Place: where it is declared
  std::string name{};       ///< of Variable and Place: of what is declared there
  std::uint32_t field = 0;  ///< of Variable: the first of the variable's scalars that was assigned
};

/// The words of one block.
struct BlockLog {
  std::uint32_t capacity = 0;         ///< words a thread has room for; thread t's begin at t * capacity
  std::vector<std::uint32_t> words;   ///< as many for every thread
  std::vector<std::uint32_t> counts;  ///< words each thread wrote, or would have written with more room
  /// Addresses of the arrays that the launch gives; the others write theirs themselves.
  std::map<ObjectId, std::uint64_t> places;
};

}  // namespace haloscope
