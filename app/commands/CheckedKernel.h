#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "checking/Check.h"
#include "program/KernelFile.h"
#include "program/SourceLocation.h"

namespace haloscope {

/// The result for one kernel, or for a file without one: a report, or why there is none. A row of the table.
struct CheckedKernel {
  std::string file{};    ///< its path
  std::string shown{};   ///< how the table names the file: relative to the folder that is checked
  std::string kernel{};  ///< empty: the file as a whole
  std::vector<std::string> assumptions{};
  std::optional<checking::CheckReport> report{};
  std::vector<SourceError> errors{};      ///< why there is no report
  bool readable = false;                  ///< it was read, but its launch is impossible or too large
  std::vector<std::string> notes{};       ///< on the file, not on this kernel
  std::vector<std::string> hostFaults{};  ///< of the file's host code, a sentence each with its place
  std::optional<KernelFile> text{};       ///< what was checked, and its sizes; none where only its program could be
  Bindings bindings{};
  bool ofProgram = false;  ///< the program that its file belongs to was executed for its launches

  /// The text was read, executed and judged.
  [[nodiscard]] bool checked() const { return report && report->program != nullptr; }
  [[nodiscard]] bool faultless() const { return checked() && report->findings.empty() && hostFaults.empty(); }
};

/// One entry of `haloscope check --json`.
[[nodiscard]] nlohmann::ordered_json toJson(const CheckedKernel& kernel);

/// Prints errors to standard error, and findings, notes and assumptions to standard output, as text.
void printDetails(const CheckedKernel& kernel);

/// A line for each kernel: whether its result matches the reference, and its findings by kind; then the totals.
void printTable(const std::vector<CheckedKernel>& kernels);

}  // namespace haloscope
