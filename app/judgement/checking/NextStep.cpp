#include "checking/NextStep.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "language/Text.h"

namespace haloscope::checking {

namespace {

struct Step {
  std::string_view kind;
  const char* text;
};

/// By the names of faults::FindingKind and running::HostFindingKind. The hints ask, they do not give the solution away.
constexpr auto kSteps = std::to_array<Step>({
    {"race-shared", trMark("Which __syncthreads() stands between the two lines? A block needs one after it has written "
                           "shared memory and before other threads read it, and one more before it is written again.")},
    {"race-global", trMark("Which thread should write this element? Let one thread alone write it, and do not write to "
                           "the array that other threads read.")},
    {"out-of-bounds", trMark("Work out the index for the thread that is named, and compare it with the size of the "
                             "array. Is each axis tested, with < and not with <=, before the access?")},
    {"failed-assertion", trMark("Work out both sides of the assertion for the thread that is named.")},
    {"misaligned", trMark("An access of several elements at once needs an address that is a multiple of its size: look "
                          "at where each row begins.")},
    {"not-arrived", trMark("Where does the kernel wait for the copy? After the wait, the block needs a barrier before "
                           "other threads read what was copied.")},
    {"uninitialized", trMark("Which thread should have written it, and does it do so before it is read? In a tile look "
                             "at the halo, and at blocks at the edge of the grid; in the program, at the copy to the "
                             "device.")},
    {"signed-overflow", trMark("Which product is too large for an int? Compute it in long long or size_t.")},
    {"divergent-barrier", trMark("Every thread of a block must reach the same __syncthreads(): no condition around it "
                                 "may depend on the thread.")},
    {"early-return", trMark("Threads that have nothing to write are still needed at the barrier: put the condition "
                            "around their work instead of a return before it.")},
    {"unsigned-wrap", trMark("An unsigned number is never below zero: 0 - 1 becomes 4294967295. Use int for an index "
                             "from which something is subtracted.")},
    {"unwritten-output", trMark("Is the grid rounded up, (n + block - 1) / block, and which condition keeps the thread "
                                "of this point from writing?")},
    {"integer-truncation", trMark("1 / 3 is 0, and 1.0f / 3 is not: where does an integer meet a fraction?")},
    {"division-by-zero", trMark("For which sizes, or for which thread, is the divisor zero?")},
    {"wrong-result", trMark("Compute the first wrong cell by hand, term by term, and compare each with what the kernel "
                            "adds. Are cells in the middle wrong, too, or those at the edges alone?")},
    {"endless", trMark("Which variable must change for the loop to end, and does it change in each pass?")},
    {"unsupported", trMark("Compile it with nvcc and begin with the first error. If nvcc accepts it, say so when you "
                           "hand it in again: not everything can be executed here.")},
    {"copy-size", trMark("A copy's size is in bytes: the number of elements times the sizeof of the type that both "
                         "arrays have.")},
    {"elements-as-bytes", trMark("A size is in bytes: the number of elements times the sizeof of their type.")},
    {"copy-direction", trMark("The first pointer is where the copy goes: which of the two is on the device?")},
    {"constant-not-set", trMark("Where are the values copied to the constant, by cudaMemcpyToSymbol(), before the "
                                "launch?")},
    {"unwritten-memory", trMark("Which thread, copy or fill should have written these elements? Let the kernel write "
                                "all that the host uses, or fill the memory first.")},
    {"result-missing", trMark("In which array is the result, and which cudaMemcpy() brings that one to the host before "
                              "it is used?")},
    {"zero-coefficients", trMark("Which value do the coefficients have when they are passed? 1 / 3 is 0, and 1.0f / 3 "
                                 "is not.")},
    {"freed-twice", trMark("Each cudaMalloc() has one cudaFree().")},
    {"used-after-free", trMark("Move the cudaFree() behind the last use.")},
    {"missing-synchronization", trMark("A launch returns before the kernel has ended: what waits for it before the "
                                       "host reads?")},
    {"unordered",
     trMark("Streams run side by side: which event, or which wait of the host, lets the second use begin only "
            "after the first?")},
    {"host-pointer",
     trMark("A kernel can only follow pointers to the device's memory: which cudaMalloc() does this one "
            "come from?")},
    {"device-pointer", trMark("Host code can only follow pointers to the host's memory: copy the values back first.")},
    {"launch-limit", trMark("A block has at most 1024 threads in all, the product of its three extents.")},
});

}  // namespace

std::string nextStep(const std::string& kind) {
  const auto* const step = std::ranges::find(kSteps, kind, &Step::kind);
  return step == kSteps.end() ? std::string() : tr(step->text);
}

}  // namespace haloscope::checking
