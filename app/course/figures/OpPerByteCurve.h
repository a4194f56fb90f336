#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "figures/InteriorCount.h"
#include "figures/LaunchWalls.h"

/// OP/B, halo share and idle lanes as a function of a tile size or radius: by the header's formula, and by executing an
/// interior block at each value.
namespace haloscope::figures {

/// One value of the tunable.
struct OpPerBytePoint {
  std::int64_t value = 0;
  Bindings bindings;              ///< complete
  std::optional<double> formula;  ///< the header's; none if the value is rejected
  std::optional<double> bound;    ///< the header's, in the limit of large tiles; none if unbounded
  bool done = false;              ///< executed or rejected
  std::string refused;            ///< why there is nothing to execute, one sentence
  std::optional<InteriorCount> count;
  std::int64_t sharedBytes = 0;  ///< of a block

  /// "N = 27": the sizes of the executed grid if they differ from those chosen; else empty.
  [[nodiscard]] std::string otherSizes(const KernelFile& file) const;
  /// Counted, loads only; 0 if nothing was counted.
  [[nodiscard]] double executed() const { return count ? count->block.counts.opPerLoadByte() : 0; }
};

/// The header's formula, also between executed values and beyond limits, but not at values that the variant rejects.
struct FormulaSample {
  std::int64_t value = 0;
  double opPerByte = 0;
  std::optional<double> bound;
};

struct OpPerByteCurve {
  std::shared_ptr<const KernelFile> file;
  Bindings bindings;  ///< the current choice
  std::string tunable;
  std::vector<OpPerBytePoint> points;    ///< ascending
  std::vector<FormulaSample> line;       ///< ascending; empty without a formula
  std::int64_t lowest = 1, highest = 1;  ///< ends of the plot
  std::vector<LaunchWall> walls;         ///< within the plot
  std::string problem;                   ///< why there is no curve, one sentence

  [[nodiscard]] const OpPerBytePoint* at(std::int64_t value) const;
  /// The next point to be executed, the chosen value first; empty if all are done.
  [[nodiscard]] std::optional<std::size_t> next() const;
};

/// The default tunable of the curve: the first tile size, else the first tunable.
[[nodiscard]] std::string defaultTunable(const KernelFile& file);

/// The curve with its formula; nothing is executed. Values that violate the header's `requires` and launches that
/// exceed a limit are rejected at once. `bindings` must be complete.
[[nodiscard]] OpPerByteCurve planOpPerByte(const std::shared_ptr<const KernelFile>& file, const Bindings& bindings,
                                           const std::string& tunable);

/// Sets the launch limits and extends the plot to include them.
void findWalls(OpPerByteCurve& curve, const std::string& gpu, const std::string& computeCapability);

/// Executes the interior block; a rejected point loses its formula values. Takes tens of milliseconds. Throws
/// experiment::Cancelled when asked to stop.
void execute(const KernelFile& file, OpPerBytePoint& point, const std::stop_token& stop = {});

/// Stores an executed point back into the curve.
void putBack(OpPerByteCurve& curve, std::size_t index, OpPerBytePoint point);

/// The limit of the header's formula as all tile and block sizes grow together; empty without a formula or limit.
[[nodiscard]] std::optional<double> formulaBound(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope::figures
