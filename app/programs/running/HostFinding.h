#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "host/HostProgram.h"
#include "language/Text.h"

namespace haloscope::running {

/// HOST_FINDING(kind, fault, name, title): what can be wrong with a host half.
///   fault  false for what a program should not do, although its result is right
///   name   stable word for scripts
#define HALOSCOPE_HOST_FINDINGS(HOST_FINDING)                                                                         \
  HOST_FINDING(NeverFreed, false, "never-freed", trMark("memory never freed"))                                        \
  HOST_FINDING(FreedTwice, true, "freed-twice", trMark("memory freed twice"))                                         \
  HOST_FINDING(UsedAfterFree, true, "used-after-free", trMark("memory used after it was freed"))                      \
  HOST_FINDING(InvalidFree, true, "invalid-free", trMark("not a pointer to free"))                                    \
  HOST_FINDING(CopySize, true, "copy-size", trMark("wrong size of a copy"))                                           \
  HOST_FINDING(CopyDirection, true, "copy-direction", trMark("wrong direction of a copy"))                            \
  HOST_FINDING(ConstantNotSet, true, "constant-not-set", trMark("a constant that is never copied to"))                \
  HOST_FINDING(ElementsAsBytes, true, "elements-as-bytes", trMark("number of elements where bytes are meant"))        \
  HOST_FINDING(UncheckedError, false, "unchecked-error", trMark("an error that nothing checks"))                      \
  HOST_FINDING(MissingSynchronization, true, "missing-synchronization", trMark("host reads before the kernel ended")) \
  HOST_FINDING(UsedBesideKernel, false, "used-beside-kernel", trMark("managed memory used beside a kernel"))          \
  HOST_FINDING(UnorderedOperations, true, "unordered", trMark("work of two streams that nothing orders"))             \
  HOST_FINDING(WrongDevice, true, "wrong-device", trMark("memory or a stream of another GPU"))                        \
  HOST_FINDING(BrokenCapture, true, "broken-capture", trMark("a call that ends the capture of a stream"))             \
  HOST_FINDING(LaunchLimit, true, "launch-limit", trMark("launch beyond a limit"))                                    \
  HOST_FINDING(HostPointer, true, "host-pointer", trMark("a kernel is given the host's memory"))                      \
  HOST_FINDING(DevicePointer, true, "device-pointer", trMark("host code follows a device pointer"))                   \
  HOST_FINDING(NeverCopiedBack, false, "never-copied-back", trMark("a result that is never copied back"))             \
  HOST_FINDING(ResultMissing, true, "result-missing", trMark("a result that the host needs and never gets"))          \
  HOST_FINDING(UnwrittenMemory, true, "unwritten-memory", trMark("memory that nothing has written is used"))          \
  HOST_FINDING(UnwrittenCopy, false, "unwritten-copy", trMark("memory that nothing has written is copied"))           \
  HOST_FINDING(ZeroCoefficients, true, "zero-coefficients", trMark("coefficients that make a whole result zero"))     \
  HOST_FINDING(NeighbourTwice, false, "neighbour-twice", trMark("one neighbour is read twice, and one not"))          \
  HOST_FINDING(RejectedResult, true, "rejected-result", trMark("a result that the program rejects"))                  \
  HOST_FINDING(RepeatedLaunch, true, "repeated-launch", trMark("launches that compute the same again"))               \
  HOST_FINDING(UnreadKernel, false, "unread-kernel", trMark("a kernel that cannot be read, and is not launched"))

enum class HostFindingKind : std::uint8_t {
#define HALOSCOPE_KIND(kind, ...) kind,
  HALOSCOPE_HOST_FINDINGS(HALOSCOPE_KIND)
#undef HALOSCOPE_KIND
};

struct HostFindingRow {
  HostFindingKind kind;
  bool fault;
  const char* name;
  const char* title;
};

inline constexpr std::array kHostFindingRows = {
#define HALOSCOPE_ROW(kind, fault, name, title) HostFindingRow{HostFindingKind::kind, fault, name, title},
    HALOSCOPE_HOST_FINDINGS(HALOSCOPE_ROW)
#undef HALOSCOPE_ROW
};

[[nodiscard]] constexpr const HostFindingRow& rowOf(HostFindingKind kind) {
  return kHostFindingRows[static_cast<std::size_t>(kind)];
}

/// One mistake of a host half, reported once for a place.
struct HostFinding {
  HostFindingKind kind = HostFindingKind::NeverFreed;
  host::HostPlace at;
  std::string message;  ///< one sentence
  std::uint64_t occurrences = 1;
};

}  // namespace haloscope::running
