#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "recording/BlockView.h"

/// What the points around a block are to it: found from what it loads and writes, and from what no block writes.
namespace haloscope::figures {

/// What a grid point is to the block's loads.
enum class LoadedAs : std::uint8_t {
  Nothing,   ///< not loaded
  Interior,  ///< loaded, and computed by this block
  Halo,      ///< loaded beside the output tile
  Ghost,     ///< outside the array: there is nothing to load
};

/// Who writes the output at a grid point.
enum class WrittenBy : std::uint8_t {
  ThisBlock,
  OtherBlock,
  Nobody,   ///< it keeps its value
  Outside,  ///< there is no such output
};

/// What the outputs beside the array's edge make of the points that lie outside.
enum class GhostConvention : std::uint8_t {
  None,       ///< no output of this block is made of points outside
  Zero,       ///< they count as zero: the sum has nothing in their place
  Otherwise,  ///< something else stands in for them
};

struct GhostCell {
  recording::GridPoint at;
  bool needed = false;  ///< an output of this block would be made of it
  bool held = false;    ///< a cell of shared memory, or a register, stands for it
};

struct BlockBoundary {
  std::string reason;   ///< why there is nothing to show, a sentence; empty: there is
  bool stencil = true;  ///< false: the reason is the kernel's, whatever the block
  Dim3 block;
  std::string input, output;
  std::vector<std::int64_t> extents;        ///< of the input, slowest axis first
  std::vector<std::int64_t> outputExtents;  ///< likewise
  recording::GridPoint outputShift;         ///< see recording::Footprint
  /// Elements of the input, ascending.
  std::vector<std::int64_t> interior, halo;
  std::vector<std::int64_t> outputs;  ///< elements of the output that this block writes, ascending
  std::vector<std::int64_t> kept;     ///< ... that no block writes, ascending
  std::vector<GhostCell> ghosts;      ///< by place
  GhostConvention convention = GhostConvention::None;
  recording::GridPoint lowest, highest;  ///< of all that the block loads, writes or stands in for, inclusive

  [[nodiscard]] LoadedAs loadedAs(const recording::GridPoint& at) const;
  [[nodiscard]] WrittenBy writtenBy(const recording::GridPoint& at) const;
  [[nodiscard]] const GhostCell* ghostAt(const recording::GridPoint& at) const;
  /// The middle one of the planes that the block writes in, or loads from where it writes nothing.
  [[nodiscard]] std::int64_t middlePlane() const;
  /// Those of `ghosts` that an output is made of.
  [[nodiscard]] std::size_t neededGhosts() const;
  /// Halo cells at which the output keeps its value.
  [[nodiscard]] std::size_t keptInHalo() const;
};

/// Executes the grid to find what nobody writes, and the block to follow its outputs. The experiment has a recording.
/// Throws InputError or SourceError as the experiment did, and Cancelled when asked to stop.
[[nodiscard]] BlockBoundary blockBoundary(const experiment::Experiment& experiment, const std::stop_token& stop = {});

/// How many of each there are, of all planes or of one.
struct BoundaryCounts {
  std::size_t interior = 0, halo = 0, ghosts = 0, outputs = 0, kept = 0;
  std::size_t haloKept = 0;  ///< of the halo cells: those at which the output keeps its value
};
[[nodiscard]] BoundaryCounts countAll(const BlockBoundary& boundary);
[[nodiscard]] BoundaryCounts countPlane(const BlockBoundary& boundary, std::int64_t plane);

/// What there is to say about the points outside the array, in one sentence or two.
[[nodiscard]] std::string ghostSentence(const BlockBoundary& boundary);

}  // namespace haloscope::figures
