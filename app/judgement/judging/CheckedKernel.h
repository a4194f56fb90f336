#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "program/SourceLocation.h"
#include "verdict/Remark.h"
#include "verdict/Verdict.h"

namespace haloscope::judging {

/// The result for one kernel, or for a file without one: a report, or why there is none. A row of the table.
struct CheckedKernel {
  std::string file{};    ///< its path
  std::string shown{};   ///< how the table names the file: relative to the folder that is checked
  std::string kernel{};  ///< empty: the file as a whole
  std::string symbol{};  ///< mangled; empty where it is not known
  std::vector<std::string> assumptions{};
  std::optional<checking::CheckReport> report{};
  std::vector<SourceError> errors{};  ///< why there is no report
  bool beyondLimit = false;           ///< its file has more kernels than are opened, and this is the first of the rest
  bool readable = false;              ///< it was read, but its launch is impossible or too large
  std::vector<verdict::Remark> remarks{};  ///< on the file or its program, not on this kernel; places are paths
  std::optional<KernelFile> text{};        ///< what was checked, and its sizes; none where only its program could be
  Bindings bindings{};
  std::optional<checking::CompilerEnd> compilerEnd{};  ///< why it could not be read
  bool ofProgram = false;  ///< the program that its file belongs to was executed for its launches
  verdict::Scope scope = verdict::Scope::Nothing;  ///< of its own execution, not that of its program

  /// The text was read, executed and judged.
  [[nodiscard]] bool checked() const { return report && report->program != nullptr; }
  [[nodiscard]] bool hasRemark(verdict::Weight weight) const;
  void addNote(std::string note);
};

/// What is said of a kernel: the only place where findings, remarks and comparisons become a verdict.
[[nodiscard]] verdict::Verdict verdictOf(const CheckedKernel& kernel);

/// An error without a place in a text.
[[nodiscard]] SourceError atNowhere(const std::string& file, const std::string& message);
/// Most messages name the file, or the variant, themselves.
[[nodiscard]] std::string withoutName(const std::string& message, const std::string& name);

/// Checks one kernel: executes it under every analysis, at `bindings` and where that helps at other sizes, and fills in
/// the row. The caller sets `file` and `kernel`, and `scope` to what was executed (verdictOf says Scope::Nothing else).
/// What cannot be read or launched is among the row's `errors`; throws MissingError where there is no `haloscope` that
/// reads texts, and experiment::Cancelled.
void checkKernel(const KernelFile& file, const Bindings& bindings, CheckedKernel& row,
                 const checking::CheckOptions& options = {});

}  // namespace haloscope::judging
