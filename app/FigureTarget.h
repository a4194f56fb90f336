#pragma once

#include <string>

#include "figures/CodeReport.h"

namespace CLI {
class App;
}

namespace haloscope {

/// The GPU that a figure's numbers are for, as a person says it.
struct FigureTarget {
  std::string gpu;           ///< part of a name in assets/gpus.json
  std::string architecture;  ///< "sm_86"

  /// Gives a command --gpu and --arch, of which one may be given. `this` must outlive it.
  void addTo(CLI::App& command);
  /// The first GPU of the file of that name, or of that architecture; an architecture alone where the file has none of
  /// it; the file's first GPU if nothing is said. Throws InputError.
  [[nodiscard]] figures::CodeTarget find() const;
};

}  // namespace haloscope
