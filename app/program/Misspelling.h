#pragma once

#include <string>
#include <string_view>

namespace haloscope {

/// Whether `written` is probably `meant`, misspelt: the same but for the case of its letters, or a letter or two that
/// are wrong, missing, too many or swapped (Damerau's and Levenshtein's distance). Names that differ on purpose, such
/// as BLOCK_X and BLOCK_Y, c1 and c2 or TILE_W and TILE_H, do not count. A name does not resemble itself.
[[nodiscard]] bool isMisspelling(std::string_view written, std::string_view meant);

/// How many letters are wrong, missing, too many or swapped.
[[nodiscard]] int editDistance(std::string_view a, std::string_view b);

}  // namespace haloscope
