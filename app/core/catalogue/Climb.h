#pragma once

#include <string>
#include <vector>

#include "catalogue/Catalogue.h"

namespace haloscope {

/// Variants one above the other: a root that the header's `climb` names, and all that extend it, one idea each. Where
/// two variants extend the same one the climb branches, so it is a tree.
struct Climb {
  struct Rung {
    const KernelFile* variant = nullptr;  ///< of the catalogue
    int height = 0;                       ///< rungs below: 0 for the root
  };
  std::string name;         ///< "7-point star"
  std::vector<Rung> rungs;  ///< the root first, each branch to its end before the next

  /// The rung of this variant; null if it has none.
  [[nodiscard]] const Rung* find(const std::string& id) const;
};

/// All climbs, by their roots in the catalogue's order. Of the branches above a variant, those in its own chapter come
/// first, then by `order`.
[[nodiscard]] std::vector<Climb> climbs(const Catalogue& catalogue);

/// Clears every `extends` that leads nowhere (to an unknown variant, around in a circle, to a root without a name) and
/// every `climb` whose name another root has. Returns an error for each, at its place in the header.
std::vector<SourceError> clearLooseRungs(std::vector<KernelFile>& kernels);

}  // namespace haloscope
