#pragma once

#include <map>
#include <stop_token>
#include <string>

#include "experiment/Experiment.h"
#include "figures/AccessShape.h"
#include "program/Climb.h"

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
  std::map<std::string, int> elementBytes;  ///< by global array
  AccessShape shape;
  std::string problem;  ///< why it was not executed, one sentence
};

/// Of an experiment whose grid was counted.
[[nodiscard]] RungCosts rungCosts(const experiment::Experiment& experiment);
/// Executes it. Throws experiment::Cancelled when asked to stop; every other failure is a `problem`.
[[nodiscard]] RungCosts countRung(const KernelFile& file, const Bindings& bindings, const std::stop_token& stop);

/// Bytes of all global arrays at other sizes than the executed ones.
[[nodiscard]] double arrayBytes(const KernelFile& file, const RungCosts& costs, const Bindings& bindings);

/// The bindings at which the rungs of a ladder can be compared: defaults, but all with the same sizes, the largest
/// default of each that every rung accepts.
[[nodiscard]] Bindings rungBindings(const Climb& climb, const KernelFile& rung);

}  // namespace haloscope::figures
