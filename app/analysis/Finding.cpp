#include "analysis/Finding.h"

namespace haloscope::analysis {

const char* name(FindingKind kind) {
  switch (kind) {
    case FindingKind::RaceShared:
      return "race-shared";
    case FindingKind::RaceGlobal:
      return "race-global";
    case FindingKind::OutOfBounds:
      return "out-of-bounds";
    case FindingKind::Uninitialized:
      return "uninitialized";
    case FindingKind::DivergentBarrier:
      return "divergent-barrier";
    case FindingKind::UnsignedWrap:
      return "unsigned-wrap";
    case FindingKind::UnwrittenOutput:
      return "unwritten-output";
    case FindingKind::IntegerTruncation:
      return "integer-truncation";
    case FindingKind::DivisionByZero:
      return "division-by-zero";
    case FindingKind::WrongResult:
      return "wrong-result";
    case FindingKind::Unsupported:
      return "unsupported";
    case FindingKind::Endless:
      return "endless";
  }
  return "";
}

SourceRange placeOf(const Finding& finding, const AlsoAt& also) {
  return also.other.valid() && also.where == finding.where ? also.other : also.where;
}

}  // namespace haloscope::analysis
