#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lessons/Formula.h"

namespace haloscope::lessons {

/// Extents around a point of the baseline; y counts downwards.
struct FormulaExtent {
  float width = 0, ascent = 0, descent = 0;  ///< of the ink, above and below the baseline
};

/// The letters that a formula is set in.
class FormulaFont {
 public:
  FormulaFont() = default;
  FormulaFont(const FormulaFont&) = delete;
  FormulaFont& operator=(const FormulaFont&) = delete;
  virtual ~FormulaFont() = default;

  /// `size` as the font counts it.
  [[nodiscard]] virtual FormulaExtent measure(std::string_view text, bool italic, float size) const = 0;
  [[nodiscard]] virtual float em(float size) const = 0;
  /// Half the height of a plus sign above the baseline: where fraction bars are.
  [[nodiscard]] virtual float axis(float size) const = 0;
};

/// Something to be drawn.
struct FormulaMark {
  enum class Kind : std::uint8_t {
    Text,    ///< from the left end of its baseline, x and y
    Stroke,  ///< a line through `points`
    Curve,   ///< a Bézier curve of four `points`
  };
  Kind kind = Kind::Text;
  float x = 0, y = 0;
  float size = 0;  ///< of text; thickness of a stroke
  bool italic = false;
  std::string text{};
  std::vector<std::array<float, 2>> points{};
};

/// A formula or a part of it with the places of everything in it, relative to the left end of its baseline.
struct FormulaPicture {
  FormulaExtent extent;
  std::vector<FormulaMark> marks;
  float room = 0;  ///< the width to keep free where numbers in it may grow; 0: that of its extent
};

/// The formula in pieces, between which a line may end. `display`: on a line of its own, with full-size fractions and
/// limits above and below sums.
[[nodiscard]] std::vector<FormulaPicture> layFormula(const FormulaNode& formula, const FormulaFont& font, float size,
                                                     bool display);

}  // namespace haloscope::lessons
