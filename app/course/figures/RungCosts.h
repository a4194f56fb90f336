#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "catalogue/Climb.h"
#include "experiment/Experiment.h"
#include "figures/AccessShape.h"

namespace haloscope::figures {

/// What a variant costs for each output point and time step, executed on the whole grid.
struct RungCosts {
  std::string id, text;  ///< of the variant
  Bindings bindings;     ///< complete
  double outputs = 0;  ///< points that were stored, times the time steps of the launch; 0: nothing was, and the numbers
                       ///< below mean nothing
  double sectors = 0;  ///< of 32 bytes that L1 is asked for
  double globalBytes = 0, sharedBytes = 0;  ///< that threads ask for, loads and stores
  double storedBytes = 0;                   ///< ... of global stores alone
  double onceBytes = 0;                     ///< every element of the global arrays moved once: the least for DRAM
  double effectiveBytes = 0;                ///< of the launch, see experiment::effectiveBytes()
  std::int64_t steps = 1;                   ///< time steps of the launch
  AccessShape shape;
  /// Of an own kernel: the offsets of the points that an output is computed from, slowest axis first; and its axes.
  /// Empty: not known.
  std::set<std::array<int, 3>> points;
  std::size_t axes = 0;
  bool separable = false;  ///< of an own kernel: the points' weights, as executed, are a product of one factor per axis
  std::string problem;     ///< why it was not executed, one sentence
};

/// Of an experiment whose grid was counted. `written`: distinct elements, where some may be stored repeatedly; without
/// it, each store counts.
[[nodiscard]] RungCosts rungCosts(const experiment::Experiment& experiment, std::optional<double> written = {});
/// ... of an own kernel: with its points, found by tracing. The experiment must have a recording. Throws
/// experiment::Cancelled when asked to stop.
[[nodiscard]] RungCosts ownCosts(const experiment::Experiment& experiment, const std::stop_token& stop);
/// The same launch, known to compute so many steps.
[[nodiscard]] RungCosts withSteps(RungCosts costs, std::int64_t steps);
/// Executes it. Throws experiment::Cancelled when asked to stop; every other failure is a `problem`.
[[nodiscard]] RungCosts countRung(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop);

/// The bindings at which the rungs of a climb can be compared: all with the same sizes, the largest default of each
/// that every rung accepts. Tunables are those of `tunables` if the rung can be launched with them, else defaults.
[[nodiscard]] Bindings rungBindings(const Climb& climb, const KernelFile& rung, const Bindings& tunables = {});

}  // namespace haloscope::figures
