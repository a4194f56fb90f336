#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "checking/ReferencePairing.h"
#include "checking/SiblingRunner.h"

namespace haloscope::checking {

/// How a kernel's result compares with a reference's where both have the same sizes.
struct SizeComparison {
  enum class End : std::uint8_t {
    Compared,
    Unlike,           ///< their arrays have other sizes
    ReferenceFailed,  ///< the reference does not end, or leaves its arrays
    Failed,           ///< the kernel does
  };
  End end = End::Unlike;
  std::int64_t points = 0;     ///< to which the reference gives another value: where a difference would have shown
  std::int64_t differing = 0;  ///< on any of the data
  std::int64_t unwritten = 0;  ///< of these, those that keep the value from before
  std::string first{};         ///< "out[1] is 0.5, where the reference computes 0.25"

  [[nodiscard]] bool agrees() const { return end == End::Compared && differing == 0 && points > 0; }
};

/// Executes both on the same data: random ones, and those that either launch has, if it is its program's. `bothWrite`:
/// only points that neither leaves as they were are compared. Throws Cancelled.
[[nodiscard]] SizeComparison compareAtSizes(const SiblingRunner& own, const SiblingRunner& reference,
                                            const Pairing& pairing, bool bothWrite, const std::stop_token& stop);

}  // namespace haloscope::checking
