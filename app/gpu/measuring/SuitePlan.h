#pragma once

#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "catalogue/KernelFile.h"
#include "catalogue/LimitSuite.h"

namespace haloscope::measuring {

/// A rung that solves a class's problem.
struct PlannedVariant {
  const KernelFile* file = nullptr;  ///< of the catalogue
  int height = 0;                    ///< rungs below
  Bindings bindings;                 ///< complete, with the header's tile
};

/// A rung that does not, and why, in a sentence.
struct LeftOut {
  std::string id, reason;
};

struct PlannedClass {
  LimitClass limit;
  std::vector<PlannedVariant> variants;  ///< the root first, which computes one step a launch
  std::vector<LeftOut> leftOut;
  std::string problem;  ///< why there is nothing to measure; then there are no variants
};

/// Which rungs of the catalogue solve the problem of a class.
[[nodiscard]] PlannedClass planClass(const Catalogue& catalogue, const LimitClass& limit);

/// "BLOCK_X 32, ROWS 2": the tunables that are a tile or a block size.
[[nodiscard]] std::string tileText(const KernelFile& file, const Bindings& bindings);

}  // namespace haloscope::measuring
