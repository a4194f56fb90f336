#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "figures/CodeReport.h"

namespace haloscope {

/// What the compiler gives each thread and block.
struct RegistersFigure {
  bool ofSizes = false;  ///< the kernel at each size of its tile, instead of the variants of its chapter

  // Filled by the App.
  std::string axis;                          ///< the tunable that the reports run over; empty: each is a variant
  std::vector<figures::CodeReport> reports;  ///< those not done are being compiled
  figures::CodeTarget target;
  std::string compiler;  ///< NVRTC's version
  std::string missing;   ///< why there is none, one sentence
};

}  // namespace haloscope
