#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "recording/BlockView.h"

/// The roles of the points around a block, derived from what it loads and writes and from what no block writes.
namespace haloscope::figures {

/// The role of a grid point in the block's loads.
enum class LoadedAs : std::uint8_t {
  Nothing,   ///< not loaded
  Interior,  ///< loaded, and its output is computed by this block
  Halo,      ///< loaded around the output tile
  Ghost,     ///< outside the array, so it cannot be loaded
};

/// What writes the output at a grid point.
enum class WrittenBy : std::uint8_t {
  ThisBlock,
  OtherBlock,
  NoBlock,  ///< it keeps its value
  Outside,  ///< outside the output array
};

/// How outputs next to the array's border treat the points outside.
enum class GhostConvention : std::uint8_t {
  None,       ///< no output of this block uses points outside
  Zero,       ///< they count as zero: they add nothing to the sum
  Otherwise,  ///< other values replace them
};

struct GhostCell {
  recording::GridPoint at;
  bool needed = false;  ///< the formula of an output of this block refers to it
  bool held = false;    ///< a cell of shared memory, or a register, represents it
};

struct BlockBoundary {
  std::string reason;   ///< why there is nothing to show, a sentence; otherwise empty
  bool stencil = true;  ///< false: the reason applies to every block of the kernel
  Dim3 block;
  std::string input, output;
  std::vector<std::int64_t> extents;        ///< of the input, slowest axis first
  std::vector<std::int64_t> outputExtents;  ///< likewise
  recording::GridPoint outputShift;         ///< see recording::Footprint
  /// Elements of the input, ascending.
  std::vector<std::int64_t> interior, halo;
  std::vector<std::int64_t> outputs;  ///< elements of the output that this block writes, ascending
  std::vector<std::int64_t> kept;     ///< ... that no block writes, ascending
  std::vector<GhostCell> ghosts;      ///< sorted by grid point
  GhostConvention convention = GhostConvention::None;
  recording::GridPoint lowest, highest;  ///< bounds of what the block loads, writes or represents, inclusive

  [[nodiscard]] LoadedAs loadedAs(const recording::GridPoint& at) const;
  [[nodiscard]] WrittenBy writtenBy(const recording::GridPoint& at) const;
  [[nodiscard]] const GhostCell* ghostAt(const recording::GridPoint& at) const;
  /// The middle one of the planes that the block writes or, if it writes nothing, loads.
  [[nodiscard]] std::int64_t middlePlane() const;
  /// Number of `ghosts` that an output uses.
  [[nodiscard]] std::size_t neededGhosts() const;
  /// Halo cells at which the output keeps its value.
  [[nodiscard]] std::size_t keptInHalo() const;
};

/// Executes the grid to find what no block writes, and the block to trace its outputs. The experiment must have a
/// recording. Throws InputError or SourceError as the experiment did, and Cancelled when asked to stop.
[[nodiscard]] BlockBoundary blockBoundary(const experiment::Experiment& experiment, const std::stop_token& stop = {});

/// Counts per role, in all planes or in one.
struct BoundaryCounts {
  std::size_t interior = 0, halo = 0, ghosts = 0, outputs = 0, kept = 0;
  std::size_t haloKept = 0;  ///< of the halo cells: those at which the output keeps its value
};
[[nodiscard]] BoundaryCounts countAll(const BlockBoundary& boundary);
[[nodiscard]] BoundaryCounts countPlane(const BlockBoundary& boundary, std::int64_t plane);

/// One or two sentences about the points outside the array.
[[nodiscard]] std::string ghostSentence(const BlockBoundary& boundary);

}  // namespace haloscope::figures
