#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "analysis/Counts.h"
#include "analysis/ZeroProducts.h"
#include "catalogue/KernelFile.h"
#include "experiment/InputData.h"
#include "program/Program.h"
#include "simt/Observer.h"

/// A block surrounded by whole blocks; its counts are those of nearly all blocks of a large grid.
namespace haloscope::experiment {

/// The arrays between which a block's halo is counted. By name, as programs of different sizes have different objects.
struct HaloArrays {
  std::string input, output;
  bool operator==(const HaloArrays&) const = default;
};

/// The block in the middle of a grid; with an even number of blocks the lower one.
[[nodiscard]] Dim3 innerBlock(const Dim3& grid);

/// The sizes of the smallest grid, larger than that of `chosen` if need be, in which the middle block, or cluster, is
/// surrounded by whole ones. Empty if no size in the header's range has one. Throws InputError if a size on the way
/// cannot be launched, Cancelled when asked to stop.
[[nodiscard]] std::optional<Bindings> interiorSizes(const KernelFile& file, const Bindings& chosen, const Dim3& cluster,
                                                    const std::stop_token& stop = {});

struct InteriorBlock {
  analysis::Counts counts;
  analysis::Products products;  ///< if the halo is counted
  /// Share of the loaded input points outside the block's output tile; see InteriorOptions::halo. Empty if input and
  /// output were not found.
  std::optional<double> haloFraction{};
  Bindings bindings;  ///< sizes of its grid
};

struct InteriorOptions {
  InputKind input = InputKind::Blobs;
  inputs::ChosenData chosen{};  ///< its weights are used; all of it if it is not known what the kernel computes
  std::stop_token stop{};
  std::optional<HaloArrays> halo{};  ///< if empty: the arrays of one shape that the block reads and writes most
  bool countHalo = false;            ///< count the halo share and the products
  std::span<simt::Observer* const> observers{};  ///< additional observers of the block
};

/// Executes the interior block in the middle of the grid or, if this grid has none, of the smallest larger grid that
/// does. Empty if no size in the header's range has one, or if the kernel fails there, which is no fault of the chosen
/// launch. Throws InputError or SourceError if the chosen sizes cannot be launched, Cancelled when asked to stop.
[[nodiscard]] std::optional<InteriorBlock> countInteriorBlock(const KernelFile& file, const Bindings& chosen,
                                                              const Program& program,
                                                              const InteriorOptions& options = {});

}  // namespace haloscope::experiment
