#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/ThreadWork.h"
#include "catalogue/KernelFile.h"
#include "figures/InteriorCount.h"
#include "program/Launch.h"

/// The tail: what a launch wastes if blocks do not divide the domain.
namespace haloscope::figures {

/// Maximum threads that a count may execute on the emulator.
inline constexpr std::uint64_t kMostTailThreads = std::uint64_t{48} << 20U;
/// Maximum bytes of global arrays that it may allocate.
inline constexpr std::int64_t kMostTailBytes = std::int64_t{1} << 30U;

/// Thread counts summed over several blocks.
struct BlockGroup {
  std::uint64_t threads = 0, working = 0, helping = 0, idle = 0;
  std::uint64_t blocks = 0;
  std::uint64_t blocksWithoutWork = 0;  ///< blocks in which no thread stores anything

  /// Share of the threads that store something; 0 without threads.
  [[nodiscard]] double workingShare() const;
};

/// Counted by executing the whole grid.
struct LaunchTail {
  Bindings bindings;  ///< complete
  LaunchConfiguration configuration;
  std::vector<std::int64_t> domain;  ///< extents of the output array, x first; empty if not known
  bool executed = false;
  analysis::WorkTally work;
  std::vector<analysis::BlockWork> blocks;  ///< in the order of the grid
  std::string problem;                      ///< why it was not executed, one sentence
  double seconds = 0;

  /// Blocks in which no thread stores anything.
  [[nodiscard]] std::uint64_t blocksWithoutWork() const;
  /// Threads that store nothing, and their share of all.
  [[nodiscard]] std::uint64_t threadsWithoutResult() const { return work.threads - work.working; }
  [[nodiscard]] double withoutResult() const;
  /// The blocks from `first`, `count` along each axis, clipped to the grid.
  [[nodiscard]] BlockGroup together(const Dim3& first, const Dim3& count) const;
};

/// Executes the whole grid. More than kMostTailThreads threads, or a launch that is not possible, is reported in
/// `problem`. May take seconds. Throws experiment::Cancelled when asked to stop.
[[nodiscard]] LaunchTail countTail(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop = {});

/// How the threads of a block divide its output tile along one axis.
struct TailAxis {
  std::int64_t first = 0;         ///< first output of block 0, ignoring the border
  std::int64_t outputs = 1;       ///< per block
  std::int64_t working = 1;       ///< threads along this axis that store: one per output, or one that loops
  int keepLow = 0, keepHigh = 0;  ///< points at the two ends that keep their value
};

/// Derived from one executed interior block: predicts for any size how many threads store something.
struct TailPattern {
  std::vector<TailAxis> axes;  ///< x first

  /// Threads that store something, for the `grid` and the output extents (x first) of a size.
  [[nodiscard]] std::uint64_t working(const Dim3& grid, const std::vector<std::int64_t>& domain) const;
};
/// Empty without a header, if the block's outputs are no box, or if its threads divide them in another way. Throws as
/// countInterior.
[[nodiscard]] std::optional<TailPattern> tailPattern(const KernelFile& file, const Bindings& bindings,
                                                     const std::stop_token& stop = {});

/// One size, by formula: from the header's grid and block, and the pattern.
struct TailSample {
  std::int64_t size = 0;
  std::uint64_t blocks = 0, threads = 0;
  std::optional<std::uint64_t> working;

  /// Share of the launched threads that store nothing.
  [[nodiscard]] std::optional<double> withoutWork() const;
};

struct TailCurve {
  std::string size;  ///< the size parameter that varies
  std::vector<TailSample> samples;
  std::string note;  ///< why there is no formula, one sentence; otherwise empty
};
/// The share over the values `lowest` to `highest` of the parameter `size`, at most 600 of them, all else as in
/// `bindings`. Every size parameter with the same value as `size` in `bindings` varies with it.
[[nodiscard]] TailCurve tailCurve(const KernelFile& file, const Bindings& bindings, const std::string& size,
                                  std::int64_t lowest, std::int64_t highest, const std::stop_token& stop = {});

/// The bindings with a size set, and every size that was equal to it.
[[nodiscard]] Bindings withSize(const KernelFile& file, Bindings bindings, const std::string& size, std::int64_t value);

/// Default sizes for the tail: 258 in one or two dimensions, 66 in 3D, clamped to the ranges. In 3D x is 258 too if it
/// has its own size parameter and a block is longer than 66. An opened file keeps its sizes.
[[nodiscard]] Bindings tailDefaults(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope::figures
