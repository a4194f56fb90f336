#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "analysis/ThreadWork.h"
#include "figures/InteriorCount.h"
#include "program/KernelFile.h"
#include "program/Launch.h"

/// The tail: what a launch wastes where whole blocks do not divide the domain.
namespace haloscope::figures {

/// Launched threads that a count may execute on the emulator.
inline constexpr std::uint64_t kMostTailThreads = std::uint64_t{48} << 20U;
/// Bytes of global arrays that it may make.
inline constexpr std::int64_t kMostTailBytes = std::int64_t{1} << 30U;

/// Threads of some blocks, taken together.
struct BlockGroup {
  std::uint64_t threads = 0, working = 0, helping = 0, idle = 0;
  std::uint64_t blocks = 0;
  std::uint64_t blocksWithoutWork = 0;  ///< of them: those in which no thread stores anything

  /// Of the threads that store something; 0 without threads.
  [[nodiscard]] double workingShare() const;
};

/// Counted by executing the whole grid.
struct LaunchTail {
  Bindings bindings;  ///< all of them
  LaunchConfiguration configuration;
  std::vector<std::int64_t> domain;  ///< extents of the output array, x first; empty: not known
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
  /// The blocks from `first` on, so many along each axis, as far as the grid goes.
  [[nodiscard]] BlockGroup together(const Dim3& first, const Dim3& count) const;
};

/// Executes the whole grid, at most kMostTailThreads threads: what is larger, or cannot be launched, says so in its
/// problem. May take seconds. Throws experiment::Cancelled when asked to stop.
[[nodiscard]] LaunchTail countTail(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop = {});

/// How the threads of a block share out its output tile along one axis.
struct TailAxis {
  std::int64_t first = 0;         ///< first output of block 0, were there no border
  std::int64_t outputs = 1;       ///< of a block
  std::int64_t working = 1;       ///< threads along this axis that store: as many as outputs, or one that walks
  int keepLow = 0, keepHigh = 0;  ///< points at the two ends that keep their value
};

/// From an interior block, executed once: enough to say for any size how many threads store something.
struct TailPattern {
  std::vector<TailAxis> axes;  ///< x first

  /// Threads that store something; `grid` and the output array's extents, x first, are those of that size.
  [[nodiscard]] std::uint64_t working(const Dim3& grid, const std::vector<std::int64_t>& domain) const;
};
/// Nothing where no header says what is computed, where the block's outputs are no box, or where its threads share them
/// out in another way. Throws as countInterior does.
[[nodiscard]] std::optional<TailPattern> tailPattern(const KernelFile& file, const Bindings& bindings,
                                                     const std::stop_token& stop = {});

/// One size, by formula: the header's grid and block, and the pattern.
struct TailSample {
  std::int64_t size = 0;
  std::uint64_t blocks = 0, threads = 0;
  std::optional<std::uint64_t> working;

  /// Share of the launched threads that store nothing.
  [[nodiscard]] std::optional<double> withoutWork() const;
};

struct TailCurve {
  std::string size;  ///< the size parameter that runs
  std::vector<TailSample> samples;
  std::string note;  ///< why there is no formula, one sentence; empty: there is one
};
/// The share over the sizes from `lowest` to `highest` of the parameter `size`, at most 600 of them, all else as in
/// `bindings`. Every size parameter that has the same value as `size` in `bindings` runs along with it.
[[nodiscard]] TailCurve tailCurve(const KernelFile& file, const Bindings& bindings, const std::string& size,
                                  std::int64_t lowest, std::int64_t highest, const std::stop_token& stop = {});

/// The bindings with a size set, and every size that was equal to it.
[[nodiscard]] Bindings withSize(const KernelFile& file, Bindings bindings, const std::string& size, std::int64_t value);

/// Sizes at which the tail is worth a look: 258 where the kernel is of one or two dimensions, 66 in 3D, in the ranges.
/// In 3D x is 258 too where it has a size of its own and a block is longer than 66. Those of an opened file stay.
[[nodiscard]] Bindings tailDefaults(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope::figures
