#pragma once

#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "options/CliForward.h"
#include "options/ProgramOptions.h"
#include "state/AppState.h"
#include "state/ComparedBlock.h"

namespace haloscope {

/// The variants that are compared with the first one.
struct CompareOptions {
  std::vector<std::string> targets;  ///< ids, or paths of .cu files; at most three
  LineUp lineUp = LineUp::Interval;

  /// Adds --compare and --line-up. Returns the first. `this` must outlive the command.
  CLI::Option* addTo(CLI::App& command);
  /// Has the window compare them with `first`; files as for kernelsToCompare. Throws InputError as kernelsToCompare,
  /// and for a variant whose output has no cell in common with that of `first`.
  void apply(AppState& state, const KernelFile& first, const ProgramOptions& program) const;
};

/// The variants and .cu files to compare with `first`; the files become part of the catalogue. Their programs are
/// executed unless `program` has --no-host; its arguments and files are those of the first. Throws InputError for too
/// many or for one that is named twice, and what chosenKernel throws.
[[nodiscard]] std::vector<KernelFile> kernelsToCompare(Catalogue& catalogue, const KernelFile& first,
                                                       const std::vector<std::string>& targets,
                                                       const ProgramOptions& program);

}  // namespace haloscope
