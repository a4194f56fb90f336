#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "faults/Finding.h"
#include "running/Computation.h"
#include "running/HostFinding.h"
#include "running/ProgramRun.h"

/// What is wrong with how a kernel uses its coefficients and neighbours, as far as no reference is needed to say so.
namespace haloscope::running {

struct CoefficientFact {
  std::size_t launch = 0;                   ///< index into ProgramRun::launches
  std::optional<HostFinding> host{};        ///< of the program
  std::optional<faults::Finding> kernel{};  ///< of the launch
};

/// Of kernels that were executed whole:
/// - all their coefficients are zero in all launches, and so is all that they write, which it is not with others;
/// - a thread reads a small array as often as it has elements, some of them twice and others, which are not zero,
/// never;
/// - a thread reads one neighbour by two terms and not the opposite one, where it reads all others in pairs. That is no
///   fault, but worth a look.
[[nodiscard]] std::vector<CoefficientFact> coefficientFacts(const std::vector<ExecutedKernel>& kernels,
                                                            const std::vector<ProgramLaunch>& launches,
                                                            const ComparisonLimit& limit);

}  // namespace haloscope::running
