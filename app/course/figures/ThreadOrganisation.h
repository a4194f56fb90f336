#pragma once

#include <cstdint>
#include <vector>

#include "figures/InteriorCount.h"

namespace haloscope::figures {

/// Idle lanes when a block loads an input tile and computes the output tile inside it, in the two thread organisations
/// of PMPP 4e, section 7.4. By formula from the tile alone.
struct ThreadOrganisation {
  std::int64_t outputs = 1, inputs = 1;  ///< points of the tiles, along the axes that the block has threads for

  /// Block size = input tile: the share of threads on the rim, which compute nothing.
  [[nodiscard]] double idleComputing() const;
  /// Block size = output tile: loading rounds needed for the input tile,
  [[nodiscard]] std::int64_t loadTurns() const;
  /// ... and the share of lanes idle in them: the last round is not full.
  [[nodiscard]] double idleLoading() const;
};

/// For an interior block's tile; along axes over which a thread loops, both organisations are the same.
[[nodiscard]] ThreadOrganisation organisationOf(const std::vector<TileAxis>& tile);

/// 1 − output tile / input tile: the share of halo cells in the points that a block needs.
[[nodiscard]] double haloOfTile(const std::vector<TileAxis>& tile);

}  // namespace haloscope::figures
