#pragma once

#include <string>
#include <vector>

#include "figures/CodeReport.h"
#include "state/AppState.h"

namespace haloscope {

/// The GPU that a figure's numbers are for, as a person says it.
struct FigureTarget {
  std::string gpu;           ///< part of a name in assets/gpus.json
  std::string architecture;  ///< "sm_86"; one of the two may be given

  [[nodiscard]] bool given() const { return !gpu.empty() || !architecture.empty(); }
  /// The first GPU of the file of that name, or of that architecture; an architecture alone where the file has none of
  /// it; the file's first GPU if nothing is said. Throws InputError.
  [[nodiscard]] figures::CodeTarget find() const;
  /// Its place among these GPUs, which the window chooses from. Throws InputError where it is none of them.
  [[nodiscard]] int indexAmong(const std::vector<measuring::GpuSpec>& specs) const;
};

}  // namespace haloscope
