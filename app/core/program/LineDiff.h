#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// Two texts side by side, line by line.
namespace haloscope {

/// A row of the two texts. Lines are counted from 0; -1: this text has no line here.
struct LinePair {
  enum class Kind : std::uint8_t {
    Same,     ///< but for blanks at either end
    Changed,  ///< one was made from the other
    Apart,    ///< a line of one text alone; where both are given they only share the row
  };
  int left = -1, right = -1;
  Kind kind = Kind::Apart;

  bool operator==(const LinePair&) const = default;
};

/// Pairs as many lines as possible, in their order; a line with words counts more than a brace.
[[nodiscard]] std::vector<LinePair> pairLines(const std::vector<std::string_view>& left,
                                              const std::vector<std::string_view>& right);

/// Bytes [first, second) of `line` that differ from `other`: between what the two have in common at the begin and at
/// the end.
[[nodiscard]] std::pair<std::size_t, std::size_t> changedPart(std::string_view line, std::string_view other);

}  // namespace haloscope
