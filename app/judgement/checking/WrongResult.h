#pragma once

#include <vector>

#include "faults/Finding.h"

/// Findings of wrong results. One mistake is one finding, however many comparisons show it.
namespace haloscope::checking {

[[nodiscard]] bool isWrongResult(const faults::Finding& finding);

/// Adds a wrong result to the findings of its kernel. If there is one already, that of the two which explains more
/// stays, and names the comparison of the other.
void addWrongResult(std::vector<faults::Finding>& findings, faults::Finding finding);

}  // namespace haloscope::checking
