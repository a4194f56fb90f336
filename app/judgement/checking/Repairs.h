#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "faults/Finding.h"
#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::checking {

/// A small change of a kernel with which it computes what it should.
struct Repair {
  std::string message;                  ///< "with < instead of <= at line 31 the result is right"
  SourceRange where;                    ///< what is changed
  std::vector<faults::TextEdit> fix{};  ///< the same in the text, executed once more; empty: it is not that simple
};

/// Tries small changes of a wrong kernel on the emulator, one after the other: a comparison that is off by one, an
/// index of thread or block along another axis, an integer that is one too large or too small, one size for
/// another. The first with which every point is right and no access is out of bounds is reported. How many are tried
/// depends on the size of the launch alone. `before` is the launch as it begins.
[[nodiscard]] std::optional<Repair> findRepair(const KernelFile& file, const Bindings& bindings, const Program& program,
                                               const Launch& before, const std::stop_token& stop);

/// Whether the kernel computes what it should, and no access is out of bounds.
[[nodiscard]] bool computesTheReference(const KernelFile& file, const Bindings& bindings, const Program& program,
                                        const Launch& before, const std::stop_token& stop);

}  // namespace haloscope::checking
