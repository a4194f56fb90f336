#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "figures/RungCosts.h"
#include "making/MakeTask.h"

namespace haloscope::making {

/// Where a solution stands among the catalogue's variants, and what each costs there at the solution's sizes.
struct PlaceOnClimb {
  std::string climb;    ///< "7-point star"
  std::string at{};     ///< the variant that it is like; empty: the catalogue has none
  std::string below{};  ///< the variant below; empty: it is the lowest
  std::vector<figures::RungCosts>
      rows;  ///< from below to above: that variant, the solution, the variant that it is like

  bool reached = true;  ///< false: it misses a goal, and only its costs can be compared

  /// "On the climb “7-point star”, at stencil/tiled, one rung above stencil/basic."
  [[nodiscard]] std::string sentence() const;
};

/// None for a task that is on no climb of this catalogue. Executes the other variants; `own` is what the solution
/// costs. Throws experiment::Cancelled when asked to stop.
[[nodiscard]] std::optional<PlaceOnClimb> placeOnClimb(const MakeTask& task, const Catalogue& catalogue,
                                                       const figures::RungCosts& own, const std::stop_token& stop = {});

}  // namespace haloscope::making
