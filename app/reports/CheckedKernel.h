#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "judging/CheckedKernel.h"

namespace haloscope {

/// One entry of `haloscope check --json`.
[[nodiscard]] nlohmann::ordered_json toJson(const judging::CheckedKernel& kernel);

/// Prints errors to standard error, and findings, notes and assumptions to standard output, as text.
void printDetails(const judging::CheckedKernel& kernel);

/// A line for each kernel: whether its result matches the reference, and its findings by kind; then the totals.
void printTable(const std::vector<judging::CheckedKernel>& kernels);

}  // namespace haloscope
