#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace haloscope {

/// A formula over the neighbours of a grid point: "u[0, 0] + rate * (u[0, -1] + u[0, 1] - 2 * u[0, 0])". Arrays take
/// the offset from the point, slowest axis first; other names are scalars. Knows + - * / %, comparisons (1 or 0), &&
/// and
/// ||, "condition ? a : b", min, max and abs.
class TapFormula {
 public:
  struct Tap {
    std::string array;
    std::array<int, 3> offset{};  ///< slowest axis first; fewer than three axes are the last ones
    bool operator==(const Tap&) const = default;
  };
  /// A value and the magnitude of what it was summed from, so that cancellation can be told from an error.
  struct Value {
    long double value = 0;
    double magnitude = 0;
  };

  TapFormula() = default;
  /// Throws InputError naming the place of what it cannot read.
  explicit TapFormula(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Each once, in the order of the text.
  [[nodiscard]] const std::vector<Tap>& taps() const { return taps_; }
  [[nodiscard]] const std::vector<std::string>& scalars() const { return scalars_; }
  /// How many values it combines: rounding grows with them.
  [[nodiscard]] std::size_t operations() const { return steps_.size(); }
  /// `taps` and `scalars` as above.
  [[nodiscard]] Value evaluate(std::span<const Value> taps, std::span<const double> scalars) const;

  bool operator==(const TapFormula& other) const { return text_ == other.text_; }

 private:
  enum class Do : std::uint8_t {
    Number,
    Tap,
    Scalar,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Negate,
    Not,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Differ,
    And,
    Or,
    Choose,
    Min,
    Max,
    Abs
  };
  struct Step {
    Do what = Do::Number;
    double number = 0;
    std::size_t index = 0;
  };
  class Parser;

  std::string text_;
  std::vector<Tap> taps_;
  std::vector<std::string> scalars_;
  std::vector<Step> steps_;  ///< in the order of a stack machine
};

}  // namespace haloscope
