#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "program/Launch.h"
#include "program/Program.h"

/// How a result resembles a weighted sum over neighbours where the purpose is not declared. The interior gives the
/// sum; the points with a tap outside the array show what the kernel uses for ghost cells.
namespace haloscope::checking {

/// What is used for a tap outside the array, or for a point that has one.
enum class BorderRule : std::uint8_t {
  Zero,
  Clamped,
  Periodic,
  Mirrored,        ///< at the edge's points
  MirroredBeyond,  ///< between the edge's points and the ghost cells: the edge's value is twice there
  Constant,        ///< some number, the same everywhere
  Renormalised,    ///< left out, and the sum divided by the share of the weights that lie inside
  Kept,
  Unwritten
};

struct Similarity {
  bool interior = false;             ///< all interior points agree
  bool flipped = false;              ///< they do with each weight at the neighbour on the opposite side
  bool holes = false;                ///< points of the interior were never written
  std::optional<BorderRule> border;  ///< the rule that all border points follow
  double share = 0;                  ///< of the written interior points: how many agree, 0 to 1
  double constant = 0;               ///< of BorderRule::Constant
  double zeroShare = 0;              ///< of the border points: how many agree with ghost cells of zero

  /// "The result agrees with a 2D convolution of in with F whose ghost cells repeat the edge." Needs interior, border.
  [[nodiscard]] std::string sentence(const Computes& computes) const;
};

/// The launch as it began and as the kernel left it. Input and output have the same shape, and file.computes is given.
[[nodiscard]] Similarity similarityOf(const KernelFile& file, const Bindings& bindings, const Program& program,
                                      const std::vector<ArrayData>& before, const std::vector<ArrayData>& after);

}  // namespace haloscope::checking
