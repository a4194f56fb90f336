#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"

namespace haloscope::measuring {

/// Times these combinations: milliseconds of each, 0 where it cannot run.
using TimeTiles = std::function<std::vector<double>(const std::vector<Bindings>&)>;

struct TileSearch {
  Bindings best;            ///< complete
  double milliseconds = 0;  ///< of the best one; 0: none of them runs
  int tried = 0;
  std::string disturbance{};  ///< of the timings; empty: nothing known
  /// Other processes computed on the GPU, during some of the timings more than during others: the choice means little.
  /// A GPU at its power limit is there for all of them, and for what is timed later.
  bool competed = false;
};

/// Looks for the fastest tile and block sizes of a variant with at most `candidates` trials, of which `begin` is the
/// first. A climb in small steps, so that few trials reach every tunable: each in turn takes the values beside its own,
/// and where one is faster those beyond it; when none helps any more, two tunables move at once.
[[nodiscard]] TileSearch searchTiles(const KernelFile& file, const Bindings& begin, int candidates,
                                     const TimeTiles& time);

}  // namespace haloscope::measuring
