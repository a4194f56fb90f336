#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "catalogue/KernelFile.h"

/// The maximum operations per byte, reached if every input element is loaded once.
namespace haloscope::figures {

/// By formula, from dimension and order alone: a star stencil and a convolution over the box. Each point is a
/// multiplication and an addition; elements are floats.
struct ReuseBound {
  int dimensions = 2;
  int order = 1;  ///< grid points on each side

  [[nodiscard]] std::int64_t stencilPoints() const;      ///< 1 + 2 × dimensions × order
  [[nodiscard]] std::int64_t convolutionPoints() const;  ///< (2 × order + 1) ^ dimensions
  /// 2 × points / 4 bytes.
  [[nodiscard]] static double opPerByte(std::int64_t points);
};
/// In 2D orders 1 to 3, then in 3D.
[[nodiscard]] std::vector<ReuseBound> reuseBounds();

/// The same for a variant, from executing an interior block at its defaults.
struct VariantReuse {
  std::string id;
  int dimensions = 0;
  int order = 0;
  std::int64_t points = 0;         ///< taps
  double operationsPerOutput = 0;  ///< as executed
  int elementBytes = 0;
  double bound = 0;          ///< operations per output / bytes per element
  double executed = 0;       ///< OP/B of the interior block, loads only
  double withoutOutput = 0;  ///< share of its threads that store nothing
  bool ghosts = false;       ///< points outside count as zero: a convolution's border
  bool byZero = false;       ///< it multiplies by zeros: it executes more than its points need

  /// Whether the table for floats may list it as a stencil or as a filter. In 1D both have the same shape.
  [[nodiscard]] bool belongsTo(const ReuseBound& row, std::int64_t points, bool filter) const;
  std::string problem;  ///< why there are no numbers; one sentence
};
/// Takes tens of milliseconds. Throws experiment::Cancelled when asked to stop.
[[nodiscard]] VariantReuse variantReuse(const KernelFile& file, const std::stop_token& stop = {});

/// One number of points: the formula, and the variants that execute it.
struct ReuseCell {
  std::int64_t points = 0;
  double formula = 0;                  ///< maximum OP/B with 2 operations per point
  std::vector<VariantReuse> variants;  ///< in the order added
  // Over the variants; 0 without any.
  double leastBound = 0, mostBound = 0;
  double leastOperations = 0, mostOperations = 0;  ///< per output
};

/// One dimension and order: a stencil and a filter.
struct ReuseRow {
  ReuseBound shape;
  ReuseCell stencil, filter;
};
/// A row for each of reuseBounds(), and for every other dimension and order of a variant; by dimension, then order.
[[nodiscard]] std::vector<ReuseRow> reuseRows(const std::vector<VariantReuse>& variants);

/// The variants whose header declares what they compute.
[[nodiscard]] std::vector<const KernelFile*> variantsWithTaps(const Catalogue& catalogue);

}  // namespace haloscope::figures
