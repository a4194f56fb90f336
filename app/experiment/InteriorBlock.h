#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "analysis/Counts.h"
#include "analysis/ZeroProducts.h"
#include "experiment/InputData.h"
#include "program/KernelFile.h"
#include "program/Program.h"
#include "simt/Observer.h"

/// A block with whole blocks around it: what it counts is what nearly all blocks of a large grid count.
namespace haloscope::experiment {

/// The arrays between which a block's halo is counted: names, as programs of different sizes have different objects.
struct HaloArrays {
  std::string input, output;
  bool operator==(const HaloArrays&) const = default;
};

/// The block in the middle of a grid, the nearer to the first of two: the last ones may not be whole.
[[nodiscard]] Dim3 innerBlock(const Dim3& grid);

struct InteriorBlock {
  analysis::Counts counts;
  analysis::Products products;  ///< where the halo is counted
  /// Share of the loaded points of the input outside the block's output tile; see InteriorOptions::halo. Nothing where
  /// no two arrays were found.
  std::optional<double> haloFraction{};
  Bindings bindings;  ///< sizes of the grid it belongs to
};

struct InteriorOptions {
  InputKind input = InputKind::Blobs;
  std::stop_token stop{};
  std::optional<HaloArrays> halo{};           ///< none: the arrays that the block reads and writes most, of one shape
  bool countHalo = false;                     ///< its share and the products
  std::span<simt::Observer* const> beside{};  ///< what else observes the block
};

/// Executes the block in the middle of the grid, an interior one: of this grid, or, where it has none, of the smallest
/// larger one that has. Nothing if no size within the header's range gives one, or the kernel fails there: that is no
/// fault of the launch that was chosen. Throws InputError or SourceError where the chosen sizes themselves cannot be
/// launched, Cancelled when asked to stop.
[[nodiscard]] std::optional<InteriorBlock> countInteriorBlock(const KernelFile& file, const Bindings& chosen,
                                                              const Program& program,
                                                              const InteriorOptions& options = {});

}  // namespace haloscope::experiment
