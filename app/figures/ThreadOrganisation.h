#pragma once

#include <cstdint>
#include <vector>

#include "figures/InteriorCount.h"

namespace haloscope::figures {

/// What becomes of lanes when a block loads an input tile and computes the output tile within it, in the two ways of
/// PMPP 4e, section 7.4. By formula from the tile alone.
struct ThreadOrganisation {
  std::int64_t outputs = 1, inputs = 1;  ///< points of the tiles, along the axes that the block has threads for

  /// Block as large as the input tile: the share of its threads on the rim, which compute nothing.
  [[nodiscard]] double idleComputing() const;
  /// Block as large as the output tile: turns that its threads take to load the input tile,
  [[nodiscard]] std::int64_t loadTurns() const;
  /// ... and the share of lanes that load nothing in them: the last turn is not full.
  [[nodiscard]] double idleLoading() const;
};

/// Of an interior block's tile: along axes that a thread walks by itself, both organisations are the same.
[[nodiscard]] ThreadOrganisation organisationOf(const std::vector<TileAxis>& tile);

/// 1 − output tile / input tile: the share of halo cells in what a block needs, by formula from the tile alone.
[[nodiscard]] double haloOfTile(const std::vector<TileAxis>& tile);

}  // namespace haloscope::figures
