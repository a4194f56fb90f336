#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "judging/CheckedKernel.h"
#include "reports/Diagnostics.h"

namespace haloscope {

/// One entry of `haloscope check --json`.
[[nodiscard]] nlohmann::ordered_json toJson(const judging::CheckedKernel& kernel);

/// All that is said of it: why it could not be read, remarks, findings.
[[nodiscard]] std::vector<Diagnostic> diagnosticsOf(const judging::CheckedKernel& kernel);

/// Prints errors to standard error, and findings and notes to standard output, as text; `verbose`: and what was
/// assumed, watched for and compared.
void printDetails(const judging::CheckedKernel& kernel, bool verbose, DiagnosticPrinter& printer);

/// A line for each kernel: its verdict, and what that rests on; then the totals.
void printTable(const std::vector<judging::CheckedKernel>& kernels, bool verbose);

}  // namespace haloscope
