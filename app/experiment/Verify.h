#pragma once

#include <string>
#include <vector>

#include "experiment/Reference.h"
#include "program/KernelFile.h"

namespace haloscope::experiment {

/// One variant, executed in one place and compared with the double-precision reference.
struct Verification {
  std::string where;            ///< "emulator", or the name of the GPU
  double maxRelativeError = 0;  ///< see Comparison
  double tolerance = 0;
  bool pass = false;
  std::string message;  ///< why it did not run, else empty
};

/// Runs `file` on random data, with all weights different and the output poisoned: on the emulator, and on the GPU if
/// there is one and the emulator found no fault. Throws SourceError and InputError.
std::vector<Verification> verify(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope::experiment
