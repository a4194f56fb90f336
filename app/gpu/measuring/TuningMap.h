#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "driver/Occupancy.h"
#include "driver/Spread.h"

/// One variant at many tile and block sizes: what each takes of a multiprocessor, and how long it takes.
namespace haloscope::measuring {

/// What changes along one side of the map.
struct TuningAxis {
  std::string name;                  ///< of a tunable; empty: the registers that a thread may have
  std::vector<std::int64_t> values;  ///< ascending; of registers, 0 first: as many as the compiler takes
  [[nodiscard]] bool ofRegisters() const { return name.empty(); }
};

struct TuningCell {
  Bindings bindings;      ///< all of them
  int registerLimit = 0;  ///< of a thread; 0: none
  LaunchConfiguration configuration;
  std::string limit{};  ///< why it cannot run, in one sentence; empty: it can, as far as is known

  // As reported by the compiler. 0 registers: not known.
  bool compiled = false;
  int registers = 0, spillBytes = 0;  ///< of a thread
  bool freeAnyway = false;            ///< without the limit it takes no more: the numbers are those of the cell without
  std::int64_t sharedBytes = 0;       ///< of a block, static and dynamic
  gpu::Occupancy occupancy;

  gpu::Spread time;           ///< of a launch; without samples: not timed
  double effectiveGBs = 0;    ///< experiment::effectiveBytes() / median
  double fractionOfCopy = 0;  ///< 0: not known

  [[nodiscard]] bool timed() const { return time.samples > 0; }
};

/// One size of the problem.
struct SizePoint {
  std::int64_t size = 0;  ///< given to every size of the kernel
  Bindings bindings;
  std::uint64_t blocks = 0;
  double waves = 0;    ///< blocks / those that the GPU holds at once; the last wave is mostly not full
  double points = 0;   ///< of the largest array
  gpu::Spread time{};  ///< without samples: not timed
  double nsPerPoint = 0;

  /// Share of the places on the GPU that the waves of blocks fill.
  [[nodiscard]] double fullness() const;
};

struct TuningMap {
  std::string kernel;     ///< its id
  std::int64_t size = 0;  ///< given to every size of the kernel; where they differ, the largest
  Bindings bindings;      ///< those chosen: what no axis changes has these values in every cell
  TuningAxis columns, rows;
  std::vector<std::string> axes;  ///< names of all tunables that could be one
  std::vector<TuningCell> cells;  ///< row by row
  std::string gpu;                ///< its name
  bool timing = false;            ///< on a GPU that is there; else what its kind would hold
  std::string problem;            ///< why there is no map; then there are no cells
  std::string note;               ///< what is not known and why, or how the numbers are meant; may be empty
  std::string disturbance;        ///< of the times; empty: nothing known
  int clockMHz = 0;
  double powerWatts = 0;
  double copyGBs = 0;            ///< measured; 0: not known
  bool filled = false;           ///< every cell is finished
  bool complete = false;         ///< the other sizes too
  double seconds = 0;            ///< that filling it took
  std::vector<SizePoint> sizes;  ///< the chosen bindings at other sizes, ascending

  [[nodiscard]] const TuningCell& at(std::size_t column, std::size_t row) const {
    return cells[row * columns.values.size() + column];
  }
  /// The timed cell with the lowest median.
  [[nodiscard]] std::optional<std::size_t> best() const;
  /// The cell with the chosen bindings and no register limit.
  [[nodiscard]] std::optional<std::size_t> chosen(const Bindings& bindings) const;
};

/// Which tunables become the axes; empty names: the first that can. A name that cannot is ignored.
struct AxisChoice {
  std::string columns, rows;
  bool operator==(const AxisChoice&) const = default;
};

/// The values of a tunable that are tried: all of a short range, of a longer one powers of two and, where it is not
/// long, those between them; always its ends that are powers, and `chosen`.
[[nodiscard]] std::vector<std::int64_t> triedValues(const Tunable& tunable, std::int64_t chosen);

/// The names of the tunables of a tile or a block: all that do not change what is computed.
[[nodiscard]] std::vector<std::string> tuningAxes(const KernelFile& file);

/// The closest value to `size` that every size of the kernel can take.
[[nodiscard]] std::int64_t withinRanges(const KernelFile& file, std::int64_t size);

/// The map of `file` with its cells: what breaks a limit of the launch says so, nothing is compiled yet.
/// `size`: replaces all sizes, within their ranges; 0: they stay as `bindings` has them.
[[nodiscard]] TuningMap planTuning(const KernelFile& file, const Bindings& bindings, std::int64_t size,
                                   const AxisChoice& axes, const gpu::MultiprocessorLimits& limits);

}  // namespace haloscope::measuring
