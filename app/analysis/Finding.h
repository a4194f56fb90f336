#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

/// What an analysis has to say against a kernel.
namespace haloscope::analysis {

/// The classes of faults. Their names (see `name`) are stable words: scripts and graders rely on them.
enum class FindingKind : std::uint8_t {
  RaceShared,         ///< two threads of a block touch one element within a barrier interval, one of them writes
  RaceGlobal,         ///< the same in global memory, between any two threads of the grid
  OutOfBounds,        ///< an access outside its array, in any memory
  Uninitialized,      ///< an uninitialised value reaches an output, a condition or an address
  DivergentBarrier,   ///< a barrier that some threads of a warp reach and others never will
  UnsignedWrap,       ///< unsigned arithmetic passed below zero on its way to an index or a comparison
  UnwrittenOutput,    ///< output points that the launch should have written and did not
  IntegerTruncation,  ///< integer arithmetic or a conversion took the fraction from a floating value
  DivisionByZero,     ///< an integer divided by zero, or taken modulo zero
  WrongResult,        ///< free of faults, but not what the reference computes
  Unsupported,        ///< a construct that cannot be executed here
  Endless,            ///< a loop that does not end within the step budget
};

/// "race-shared", "race-global", "out-of-bounds", "uninitialized", "divergent-barrier", "unsigned-wrap",
/// "unwritten-output", "integer-truncation", "division-by-zero", "wrong-result", "unsupported", "endless".
[[nodiscard]] const char* name(FindingKind kind);

/// One thread of the launch.
struct ThreadPlace {
  Dim3 block;   ///< blockIdx
  Dim3 thread;  ///< threadIdx
  bool operator==(const ThreadPlace&) const = default;
};

/// One element of an array in global memory.
struct OutputCell {
  ObjectId object = kNone;
  std::int64_t index = 0;
  bool operator==(const OutputCell&) const = default;
  auto operator<=>(const OutputCell&) const = default;
};

/// Neighbouring elements of an array in global memory.
struct OutputRun {
  ObjectId object = kNone;
  std::int64_t begin = 0, end = 0;  ///< half open
  bool operator==(const OutputRun&) const = default;
};

/// A further place at which the same mistake shows.
struct AlsoAt {
  SourceRange where;    ///< as Finding::where
  SourceRange other;    ///< as Finding::other
  std::string message;  ///< a sentence like the finding's own
};

/// One mistake, reported once however often and at however many places it happened: the first time is described, the
/// others are counted.
struct Finding {
  FindingKind kind = FindingKind::WrongResult;
  SourceRange where;                 ///< the statement or expression at fault
  SourceRange other;                 ///< of a race: the other access; invalid elsewhere
  bool otherReads = false;           ///< of a race: the other access is a load
  std::string message;               ///< one plain sentence, with the array's element as the text writes it: in_s[3][0]
  std::vector<ThreadPlace> threads;  ///< of a race: both; at most a few
  ObjectId object = kNone;           ///< the array, where there is one
  std::int64_t index = 0;            ///< its element, linear
  std::uint32_t interval = 0;        ///< barrier interval, from 0
  std::uint64_t occurrences = 1;     ///< lane accesses (or pairs of them) with this fault, in all
  std::vector<OutputCell> outputs;   ///< the first output cells it reaches, ascending
  std::uint64_t outputCount = 0;     ///< how many it reaches in all
  std::vector<OutputRun> reached{};  ///< all output cells it reaches, ascending
  std::vector<AlsoAt> also{};        ///< the other places of the same mistake, in the order of the text

  /// One more output cell, beyond those so far; among `outputs` while these are fewer than `listed`.
  void reach(const OutputCell& cell, std::size_t listed);
  /// Whether it reaches a cell.
  [[nodiscard]] bool reaches(const OutputCell& cell) const;
};

/// Where to look for a further place of a finding: of a race with an access of the finding's own, the other access.
[[nodiscard]] SourceRange placeOf(const Finding& finding, const AlsoAt& also);

}  // namespace haloscope::analysis
