#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/ThreadWork.h"
#include "catalogue/KernelFile.h"
#include "experiment/InteriorBlock.h"
#include "program/Program.h"

namespace haloscope::figures {

/// One axis of an interior block; x first, as in blockIdx.
struct TileAxis {
  std::int64_t outputs = 1;  ///< points of the output array that the block writes, from the first to the last
  std::int64_t threads = 1;  ///< of the block
  std::int64_t first = 0;    ///< the lowest of the outputs
  std::int64_t block = 0;    ///< the block's index
  int radius = 0;            ///< of the stencil or filter, from the header

  /// Points of the input tile: outputs plus halo.
  [[nodiscard]] std::int64_t inputs() const { return outputs + 2 * std::int64_t{radius}; }
};

/// Counts from executing one interior block.
struct InteriorCount {
  experiment::InteriorBlock block;
  analysis::WorkTally work;
  std::uint64_t outputs = 0;   ///< distinct elements that it stored
  std::uint64_t inputs = 0;    ///< distinct elements of the input that it loaded
  int elementBytes = 0;        ///< of the input
  std::vector<TileAxis> tile;  ///< one per axis of the output, at most three; empty if the tile is no box

  /// Floating-point operations for one output.
  [[nodiscard]] double operationsPerOutput() const;
  /// OP/B if each input element were loaded once, with as many outputs as inputs: the bound with full reuse.
  [[nodiscard]] double reuseBound() const;
  /// Share of the threads that store no output.
  [[nodiscard]] double withoutOutput() const;
};

/// "At N = 2 no point is computed: the grid is too small." Empty if some point is computed, or if no header states
/// which points keep their value.
[[nodiscard]] std::string nothingComputed(const KernelFile& file, const Bindings& bindings);

/// Executes an interior block of `program`, which is `file` at `bindings`. Empty if no size gives one. Throws as
/// experiment::countInteriorBlock.
[[nodiscard]] std::optional<InteriorCount> countInterior(const KernelFile& file, const Bindings& bindings,
                                                         const Program& program, const std::stop_token& stop = {});

/// The array that the kernel writes: the header's or, without a header, the global array with most stores. kNone if
/// there is none.
[[nodiscard]] ObjectId outputOf(const KernelFile& file, const Program& program, const analysis::Counts& counts);

/// The farthest tap along each axis, slowest first; empty without a header.
[[nodiscard]] std::array<int, 3> reachOf(const KernelFile& file, const Bindings& bindings);
/// The points at the two ends of each axis, slowest first, that keep their value; none where ghost cells stand in.
struct KeptBorder {
  std::array<int, 3> low{}, high{};
};
[[nodiscard]] KeptBorder keptBorder(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope::figures
