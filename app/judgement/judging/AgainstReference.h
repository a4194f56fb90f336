#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "judging/KernelAtSizes.h"
#include "verdict/Verdict.h"

namespace haloscope::judging {

/// How a kernel compares with a reference at its own sizes, at the reference's, and at others.
struct ReferenceVerdict {
  bool comparable = false;  ///< with the kernel's own sizes both compute the same, or nothing that could differ
  bool agrees = false;      ///< wherever both were executed, and at other sizes than its own, too
  std::vector<verdict::ComparedSize> at{};  ///< where it agrees
  std::string why{};                        ///< why it does not, or why that is not enough: a sentence
};

/// Executes a kernel and a reference with the same data: what a program computes right with its own sizes alone does
/// not agree. What differs at sizes that neither program has is no finding: the text need not be meant for them.
/// The same code launched in the same way agrees if no point could differ, or if the texts are the same. `endsAlike`:
/// their programs' hosts get the same, so that one of the two kernels may leave to the host what the other sets.
[[nodiscard]] ReferenceVerdict compareWithReference(const KernelAtSizes& kernel, const KernelAtSizes& reference,
                                                    const std::function<bool()>& endsAlike,
                                                    const std::stop_token& stop = {});

}  // namespace haloscope::judging
