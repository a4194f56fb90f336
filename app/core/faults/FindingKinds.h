#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "language/Text.h"

/// The kinds of findings: one row each.
namespace haloscope::faults {

enum class Severity : std::uint8_t {
  Fault,    ///< undefined on a GPU, or not executable here: the kernel is not given to one
  Mistake,  ///< defined, and almost certainly not what was meant
};

/// FINDING(kind, severity, name, title, symptom, checked), the gravest kind first: of several findings on one line that
/// is listed first.
///   name      stable word that scripts and graders rely on
///   title     as the window labels it, in the colour of faults
///   symptom   clause without a place, for a task in which the place is to be found
///   checked   what a complete execution was checked for; empty: not found by an execution alone
#define HALOSCOPE_FINDINGS(FINDING)                                                                                  \
  /* two threads of a block access one element within a barrier interval, one of them writes */                      \
  FINDING(RaceShared, Fault, "race-shared", trMark("race in shared memory"),                                         \
          trMark("two threads race on an element in shared memory"), trMark("races in shared memory"))               \
  /* the same in global memory, between any two threads of the grid */                                               \
  FINDING(RaceGlobal, Fault, "race-global", trMark("race in global memory"),                                         \
          trMark("two threads race on an element in global memory"), trMark("races in global memory"))               \
  /* the same between blocks of a cluster, in the shared memory of one of them */                                    \
  FINDING(RaceCluster, Fault, "race-cluster", trMark("race between blocks of a cluster"),                            \
          trMark("two blocks of a cluster race on an element in shared memory"), "")                                 \
  /* the shared memory of a block that may not have begun, or may have ended */                                      \
  FINDING(BlockGone, Fault, "block-gone", trMark("block not there"),                                                 \
          trMark("the shared memory of a block is accessed before it has begun or after it has ended"), "")          \
  /* an access outside its array, in any memory */                                                                   \
  FINDING(OutOfBounds, Fault, "out-of-bounds", trMark("out of bounds"), trMark("an access is outside its array"),    \
          trMark("accesses out of bounds"))                                                                          \
  /* assert() of something that does not hold */                                                                     \
  FINDING(FailedAssertion, Fault, "failed-assertion", trMark("assertion failed"), trMark("an assertion fails"),      \
          trMark("failed assertions"))                                                                               \
  /* __trap() and its like were reached */                                                                           \
  FINDING(Trap, Fault, "trap", trMark("trap"), trMark("a trap ends the kernel"), trMark("traps"))                    \
  /* an access at an address that is not a multiple of its size */                                                   \
  FINDING(Misaligned, Fault, "misaligned", trMark("misaligned"),                                                     \
          trMark("an address is not a multiple of the size of what it names"), trMark("misaligned accesses"))        \
  /* shared memory is used while an asynchronous copy to it is in flight */                                          \
  FINDING(NotArrived, Fault, "not-arrived", trMark("copy not arrived"),                                              \
          trMark("an element is used before the asynchronous copy to it has arrived"),                               \
          trMark("copies used before they arrive"))                                                                  \
  /* a bulk copy of shared memory that threads have stored to, without a proxy fence between */                      \
  FINDING(ProxyFence, Fault, "proxy-fence", trMark("no proxy fence"),                                                \
          trMark("a bulk copy need not see what threads have stored"), trMark("bulk copies without a proxy fence"))  \
  /* an uninitialised value reaches an output, a condition or an address */                                          \
  FINDING(Uninitialized, Fault, "uninitialized", trMark("uninitialised"), trMark("an uninitialised value is used"),  \
          trMark("uninitialised values"))                                                                            \
  /* an int that passed 2^31 on its way to an index or a comparison */                                               \
  FINDING(SignedOverflow, Fault, "signed-overflow", trMark("int too small"),                                         \
          trMark("an int passes 2^31 on its way to an index"), trMark("ints that overflow"))                         \
  /* a barrier that some threads of a warp reach and others never will */                                            \
  FINDING(DivergentBarrier, Fault, "divergent-barrier", trMark("divergent barrier"),                                 \
          trMark("some threads never reach a barrier where others wait"), trMark("barriers that some threads miss")) \
  /* a shuffle, vote or __syncwarp() whose mask names lanes that do not arrive */                                    \
  FINDING(LaneMask, Fault, "lane-mask", trMark("mask names absent lanes"),                                           \
          trMark("a mask names threads that do not arrive"), trMark("masks that name absent threads"))               \
  /* a barrier of the grid in a launch that is not cooperative, or that some blocks never reach */                   \
  FINDING(GridBarrier, Fault, "grid-barrier", trMark("grid barrier"), trMark("a barrier of the grid cannot open"),   \
          trMark("barriers of the grid that cannot open"))                                                           \
  /* a barrier of a cluster that cannot open, or is waited for without an arrival */                                 \
  FINDING(ClusterBarrier, Fault, "cluster-barrier", trMark("cluster barrier"),                                       \
          trMark("a barrier of the cluster cannot open"), "")                                                        \
  /* threads left the kernel before a barrier at which the others wait: no fault on present GPUs */                  \
  FINDING(EarlyReturn, Mistake, "early-return", trMark("returned before a barrier"),                                 \
          trMark("some threads have returned when the others wait at a barrier"),                                    \
          trMark("threads that leave before a barrier"))                                                             \
  /* unsigned arithmetic wrapped below zero on its way to an index or a comparison */                                \
  FINDING(UnsignedWrap, Mistake, "unsigned-wrap", trMark("unsigned below zero"),                                     \
          trMark("an unsigned number wraps below zero"), trMark("unsigned wrap-around"))                             \
  /* output points that the launch should have written and did not */                                                \
  FINDING(UnwrittenOutput, Mistake, "unwritten-output", trMark("output not written"),                                \
          trMark("points of the output are not written"), trMark("output points that are not written"))              \
  /* integer arithmetic or a conversion discarded the fraction of a floating value */                                \
  FINDING(IntegerTruncation, Mistake, "integer-truncation", trMark("fraction lost"),                                 \
          trMark("integer arithmetic loses a fraction"), trMark("fractions lost in integers"))                       \
  /* an integer divided by zero, or taken modulo zero */                                                             \
  FINDING(DivisionByZero, Mistake, "division-by-zero", trMark("division by zero"),                                   \
          trMark("an integer is divided by zero"), trMark("divisions by zero"))                                      \
  /* free of faults, but not what the reference computes */                                                          \
  FINDING(WrongResult, Mistake, "wrong-result", trMark("wrong result"), trMark("the result is wrong"), "")           \
  /* a construct that cannot be executed here */                                                                     \
  FINDING(Unsupported, Fault, "unsupported", trMark("not supported"),                                                \
          trMark("the source uses a construct that is not supported"), "")                                           \
  /* a loop whose state repeats, or a wait for what never comes */                                                   \
  FINDING(Endless, Fault, "endless", trMark("does not end"), trMark("a loop or a wait does not end"),                \
          trMark("infinite loops"))

enum class FindingKind : std::uint8_t {
#define HALOSCOPE_KIND(kind, ...) kind,
  HALOSCOPE_FINDINGS(HALOSCOPE_KIND)
#undef HALOSCOPE_KIND
};

struct FindingRow {
  FindingKind kind;
  Severity severity;
  const char* name;
  const char* title;
  const char* symptom;
  const char* checked;
};

/// In the order of FindingKind.
inline constexpr std::array kFindingRows = {
#define HALOSCOPE_ROW(kind, severity, name, title, symptom, checked) \
  FindingRow{FindingKind::kind, Severity::severity, name, title, symptom, checked},
    HALOSCOPE_FINDINGS(HALOSCOPE_ROW)
#undef HALOSCOPE_ROW
};

[[nodiscard]] constexpr const FindingRow& rowOf(FindingKind kind) {
  return kFindingRows[static_cast<std::size_t>(kind)];
}

}  // namespace haloscope::faults
