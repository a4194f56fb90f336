#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "program/Catalogue.h"
#include "program/KernelFile.h"

/// How many operations can come of each byte at most: when every input element is loaded once.
namespace haloscope::figures {

/// By formula, from dimension and order alone: a stencil along the axes beside a convolution that fills the box. Each
/// point is a multiplication and an addition; elements are floats.
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

/// The same of a variant, from executing an interior block at its defaults.
struct VariantReuse {
  std::string id;
  int dimensions = 0;
  int order = 0;
  std::int64_t points = 0;         ///< taps
  double operationsPerOutput = 0;  ///< as the text writes them
  int elementBytes = 0;
  double bound = 0;          ///< operations for an output / bytes of an element
  double executed = 0;       ///< OP/B of the interior block, loads only
  double withoutOutput = 0;  ///< share of its threads that store nothing
  bool ghosts = false;       ///< points outside count as zero: a convolution's border
  bool byZero = false;       ///< it multiplies by zeros: what it executes is not what its points need

  /// Whether its row in a table of floats may name it: a stencil's, or a filter's. Along one axis both have one shape.
  [[nodiscard]] bool belongsTo(const ReuseBound& row, std::int64_t points, bool filter) const;
  std::string problem;  ///< why there are no numbers; one sentence
};
/// Throws experiment::Cancelled when asked to stop. Takes tens of milliseconds.
[[nodiscard]] VariantReuse variantReuse(const KernelFile& file, const std::stop_token& stop = {});

/// Points of one shape: what the formula says, and the variants that execute them.
struct ReuseCell {
  std::int64_t points = 0;
  double formula = 0;                  ///< OP/B at most, by 2 operations a point
  std::vector<VariantReuse> variants;  ///< in the order that they came in
  // Of these; 0 without any.
  double leastBound = 0, mostBound = 0;
  double leastOperations = 0, mostOperations = 0;  ///< for one output
};

/// One dimension and order: a stencil beside a filter.
struct ReuseRow {
  ReuseBound shape;
  ReuseCell stencil, filter;
};
/// A row for each of reuseBounds(), and for every other dimension and order that a variant has; by dimension, then by
/// order.
[[nodiscard]] std::vector<ReuseRow> reuseRows(const std::vector<VariantReuse>& variants);

/// The variants whose header says what they compute.
[[nodiscard]] std::vector<const KernelFile*> variantsWithTaps(const Catalogue& catalogue);

}  // namespace haloscope::figures
