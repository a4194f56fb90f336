#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "faults/FindingKinds.h"
#include "language/Text.h"
#include "program/Launch.h"
#include "program/Program.h"
#include "verdict/Verdict.h"

/// The findings that the analyses report.
namespace haloscope::faults {

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

/// A part of a kernel's text, and what takes its place.
struct TextEdit {
  SourceRange at;
  std::string text;
};

/// One mistake, reported once however often and at however many places it happened: the first time is described, the
/// others are counted.
struct Finding {
  FindingKind kind = FindingKind::WrongResult;
  SourceRange where;            ///< the statement or expression at fault
  SourceRange other{};          ///< of a race: the other access; invalid elsewhere
  bool otherReads = false;      ///< of a race: the other access is a load
  std::string message{};        ///< one plain sentence, with the array's element as the text writes it: in_s[3][0]
  std::string remedy{};         ///< what would mend it: "with < instead of <= at line 31 the result is right"
  std::vector<TextEdit> fix{};  ///< the same as a change of the text: it was executed, and is right
  std::vector<ThreadPlace> threads{};  ///< of a race: both; at most a few
  ObjectId object = kNone;             ///< the array, where there is one
  std::int64_t index = 0;              ///< its element, linear
  std::uint32_t interval = 0;          ///< barrier interval, from 0
  bool illegalAddress = false;         ///< a GPU ends the program there: it has no memory at the address
  std::uint64_t occurrences = 1;       ///< lane accesses (or pairs of them) with this fault, in all
  std::vector<OutputCell> outputs{};   ///< the first output cells it reaches, ascending
  std::uint64_t outputCount = 0;       ///< how many it reaches in all
  std::vector<OutputRun> reached{};    ///< all output cells it reaches, ascending
  std::vector<AlsoAt> also{};          ///< the other places of the same mistake, in the order of the text
  // Of a wrong result:
  bool explained = false;                    ///< the message says what the kernel does otherwise
  std::vector<verdict::Evidence> shownBy{};  ///< the comparisons that have shown it

  /// One more output cell, beyond those so far; among `outputs` while these are fewer than `listed`.
  void reach(const OutputCell& cell, std::size_t listed);
  /// What is wrong, and what would mend it.
  [[nodiscard]] std::string text() const;
  /// Whether it reaches a cell.
  [[nodiscard]] bool reaches(const OutputCell& cell) const;
};

/// What an illegal address adds to the message of its finding.
inline constexpr const char* kEndsProgram =
    trMark(": a GPU ends the program here with error 700 (cudaErrorIllegalAddress)");

/// What keeps a text from being executed, as the message of a finding, whose kind says already that it is unsupported.
[[nodiscard]] std::string unsupportedMessage(std::string problem);

/// Where to look for a further place of a finding: of a race with an access of the finding's own, the other access.
[[nodiscard]] SourceRange placeOf(const Finding& finding, const AlsoAt& also);

}  // namespace haloscope::faults
