#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "figures/InteriorCount.h"
#include "figures/LaunchWalls.h"
#include "program/KernelFile.h"

/// How OP/B, the halo and idle lanes change with a tile size or a radius: by the header's formula, and by executing an
/// interior block at each value.
namespace haloscope::figures {

/// One value of the tunable.
struct OpPerBytePoint {
  std::int64_t value = 0;
  Bindings bindings;              ///< all of them
  std::optional<double> formula;  ///< the header's; none where the value is refused
  std::optional<double> bound;    ///< the header's, as tiles and blocks grow without end; none where it grows too
  bool done = false;              ///< it was executed, or refused
  std::string refused;            ///< why there is nothing to execute, one sentence
  std::optional<InteriorCount> count;
  std::int64_t sharedBytes = 0;  ///< of a block

  /// "N = 27": the sizes of the grid whose block was executed, where they are not those chosen; else empty.
  [[nodiscard]] std::string otherSizes(const KernelFile& file) const;
  /// Counted, loads only; 0 where nothing was.
  [[nodiscard]] double executed() const { return count ? count->block.counts.opPerLoadByte() : 0; }
};

/// The header's formula, also between the values that are executed, and behind walls; at none without a meaning.
struct FormulaSample {
  std::int64_t value = 0;
  double opPerByte = 0;
  std::optional<double> bound;
};

struct OpPerByteCurve {
  std::shared_ptr<const KernelFile> file;
  Bindings bindings;  ///< those chosen
  std::string tunable;
  std::vector<OpPerBytePoint> points;    ///< ascending
  std::vector<FormulaSample> line;       ///< ascending; empty without a formula
  std::int64_t lowest = 1, highest = 1;  ///< ends of the plot
  std::vector<LaunchWall> walls;         ///< within the plot
  std::string problem;                   ///< why there is no curve, one sentence

  [[nodiscard]] const OpPerBytePoint* at(std::int64_t value) const;
  /// The next to be executed: the chosen value first; nothing if all are done.
  [[nodiscard]] std::optional<std::size_t> next() const;
};

/// The tunable that the curve runs over if nobody says: the first of a tile, else the first.
[[nodiscard]] std::string defaultTunable(const KernelFile& file);

/// The curve with its formula; nothing is executed. Values of which the header says that the variant has no meaning,
/// and launches that break a limit, are refused at once. `bindings`: all of them.
[[nodiscard]] OpPerByteCurve planOpPerByte(const std::shared_ptr<const KernelFile>& file, const Bindings& bindings,
                                           const std::string& tunable);

/// The walls, and the plot's end with them in it.
void findWalls(OpPerByteCurve& curve, const std::string& gpu, const std::string& computeCapability);

/// Executes the interior block; a point that is refused keeps no number of the formula. Takes tens of milliseconds.
/// Throws experiment::Cancelled when asked to stop.
void execute(const KernelFile& file, OpPerBytePoint& point, const std::stop_token& stop = {});

/// Puts one of the curve's points back after it was executed.
void putBack(OpPerByteCurve& curve, std::size_t index, OpPerBytePoint point);

/// The limit of the header's formula as all tunables of tiles and blocks grow together; none without a formula, or
/// where there is no limit.
[[nodiscard]] std::optional<double> formulaBound(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope::figures
