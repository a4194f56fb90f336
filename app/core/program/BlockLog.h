#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "program/Program.h"
#include "program/SourceLocation.h"

/// The log that an instrumented kernel writes: for each thread of one block a stream of entries, in 32-bit words.
/// An entry is its head, `kind << 28 | payload words << 20 | site`, and its payload. Values take whole words, the low
/// one first; an address takes two.
namespace haloscope {

enum class LogKind : std::uint8_t {
  Statement = 1,  ///< a statement begins; payload: the multiprocessor's clock, low word
  Load,           ///< address, value read
  Store,          ///< address, value written
  Variable,       ///< value assigned to a variable
  Atomic,         ///< address, old value, first operand, and the second if there is one
  Enter,          ///< a call begins: its arguments come next
  Begin,          ///< ... its body
  Leave,          ///< ... it ends
  Place,          ///< address of an array
  Lane,           ///< what a shuffle is given: a lane, distance or lane mask; or the width of its groups
  Library,        ///< a call of a function begins that copies asynchronously, or uses a barrier in shared memory
  Primitive,      ///< what such a function does; instead of a site, the head has a LogPrimitive
};

/// Payloads: an address takes two words.
enum class LogPrimitive : std::uint8_t {
  Copy,        ///< to, from, bytes, how many of them are zeros instead; the others as they are at the source
  Commit,      ///< CopyCommit
  CommitTo,    ///< the same, with a barrier: its address
  Wait,        ///< CopyWait: batches that may remain
  BulkCommit,  ///< CopyCommit and CopyWait of bulk copies to global memory
  BulkWait,
  Map,            ///< an address, the rank of a block, the address of the same place there
  MemoryBarrier,  ///< and further ones, in the order of MemoryBarrierAction: address, b (two words), c, result (two)
};

inline constexpr std::uint32_t kLogKindShift = 28;
inline constexpr std::uint32_t kLogPayloadShift = 20;
inline constexpr std::uint32_t kLogPayloadMask = 0xff;
inline constexpr std::uint32_t kLogSiteMask = 0xfffff;

/// A place in the text whose code writes entries.
struct LogSite {
  LogKind kind = LogKind::Statement;
  /// For Load, Store, Atomic and Lane: the instructions' range. For Statement: its beginning. For Enter and Library:
  /// the call.
  SourceRange range{};
  StatementKind statement = StatementKind::Expression;
  SourceRange declared{};  ///< for Variable and Place: where it is declared
  std::string name{};      ///< for Variable and Place: the name declared there
  /// For Variable: the first of the variable's scalars that was assigned. For Lane: 1 if it is the width.
  std::uint32_t field = 0;
};

/// The words of one block.
struct BlockLog {
  std::uint32_t capacity = 0;         ///< words per thread; those of thread t begin at t * capacity
  std::vector<std::uint32_t> words;   ///< `capacity` for each thread
  std::vector<std::uint32_t> counts;  ///< words that each thread wrote, or would have written if there were room
  /// Addresses of the arrays that the launch provides; the others are in Place entries.
  std::map<ObjectId, std::uint64_t> places;
};

}  // namespace haloscope
