#pragma once

#include <string>
#include <vector>

#include "experiment/Experiment.h"

namespace haloscope::figures {

/// How a kernel gets at its operands and what it keeps, found in what was executed and not in any name.
struct AccessShape {
  bool shared = false;          ///< operands pass through shared memory
  bool asynchronous = false;    ///< ... into which they are copied asynchronously
  bool vectors = false;         ///< a thread loads several elements of global memory at once
  bool shuffles = false;        ///< lanes hand values to each other
  bool marches = false;         ///< a loop loads from global memory and stores outputs
  bool queue = false;           ///< such a loop keeps floating-point values from turn to turn in registers
  bool constants = false;       ///< coefficients come from constant memory
  bool mixed = false;           ///< with `shared`: some operands come straight from global memory all the same
  double outputsPerThread = 0;  ///< of all threads that were launched
  double loadsPerOutput = 0;    ///< elements of global memory
};

/// Of the experiment's whole grid, which must have been counted.
[[nodiscard]] AccessShape accessShape(const experiment::Experiment& experiment);

/// "loads vectors", "7.5 outputs per thread": one entry each; without any the kernel reads every operand of its one
/// output from global memory. `coefficients`: also where these come from.
[[nodiscard]] std::vector<std::string> wordsOf(const AccessShape& shape, bool coefficients = false);

/// How unlike two shapes are: about 1 for each way in which they differ, and less than that for numbers.
[[nodiscard]] double distance(const AccessShape& one, const AccessShape& other);

}  // namespace haloscope::figures
