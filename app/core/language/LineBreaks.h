#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

/// Where a line may end. English ends it at spaces; Chinese, which has none, between any two characters, except before
/// a closing sign or after an opening one.
namespace haloscope {

/// What stays on one line: a word, or a Chinese character with the signs that belong to it.
struct LinePiece {
  std::string_view text;
  bool spaced = false;    ///< a space stands before it
  bool mayBegin = false;  ///< a line
};

/// The pieces of a text. `before` is what stands on the same line before it; empty: the text begins a line.
[[nodiscard]] std::vector<LinePiece> linePieces(std::string_view text, std::string_view before = {});

/// Whether a line may end between two texts that no space divides.
[[nodiscard]] bool mayDivide(std::string_view before, std::string_view after);

/// Whether two words that a space divides stay on one line: the factors of a product such as 8 × 8, and what is before
/// the sign of a relation with it.
[[nodiscard]] bool staysTogether(std::string_view before, std::string_view after);

/// The width of a text in a terminal, where a Chinese character or sign takes two columns.
[[nodiscard]] std::size_t terminalColumns(std::string_view text);

}  // namespace haloscope
