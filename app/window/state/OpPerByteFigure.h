#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "figures/OpPerByteCurve.h"
#include "figures/ReuseBounds.h"

namespace haloscope {

/// The OP/B explorer.
struct OpPerByteFigure {
  enum class Quantity : std::uint8_t { OpPerByte, Halo, IdleLanes };

  std::string tunable;  ///< the user's choice of the plot's axis; empty, or not of this kernel: the first
  Quantity quantity = Quantity::OpPerByte;

  // Filled by the App.
  figures::OpPerByteCurve curve;                ///< without a file: nothing yet
  std::vector<figures::VariantReuse> variants;  ///< of the catalogue, as far as they are executed
  std::size_t allVariants = 0;
  std::vector<figures::ReuseRow> rows;  ///< `variants` next to the formula
};

}  // namespace haloscope
