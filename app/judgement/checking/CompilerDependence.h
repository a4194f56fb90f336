#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "catalogue/KernelFile.h"
#include "checking/Check.h"
#include "program/SourceLocation.h"

namespace haloscope::checking {

/// A macro on which it depends what a kernel computes, although another compiler, GPU or machine has another value.
struct CompilerDependence {
  std::string macro;
  SourceRange where;     ///< where the text asks for it
  std::string header{};  ///< that it is in; empty: the text
};

/// Lowers a checked kernel again for each macro that its text asks for, with another answer, and executes it where the
/// code is not the same. None if it then computes the same. Throws Cancelled.
[[nodiscard]] std::optional<CompilerDependence> compilerDependence(const KernelFile& file, const Bindings& bindings,
                                                                   const CheckReport& report,
                                                                   const std::stop_token& stop = {});

}  // namespace haloscope::checking
