#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace haloscope {

/// Whether `written` is probably a misspelling of `meant`: it differs in case only, or in one or two letters that are
/// wrong, missing, added or swapped (Damerau–Levenshtein distance). Names that differ on purpose, such as BLOCK_X and
/// BLOCK_Y, c1 and c2 or TILE_W and TILE_H, are not misspellings of each other. A name is not a misspelling of itself.
[[nodiscard]] bool isMisspelling(std::string_view written, std::string_view meant);

/// Of `names` the first three that may be meant: those that contain what is written, or it them, then the least
/// misspelt.
[[nodiscard]] std::vector<std::string> nearestNames(const std::string& written, const std::vector<std::string>& names);

/// The number of letters that are wrong, missing, added or swapped.
[[nodiscard]] int editDistance(std::string_view a, std::string_view b);

}  // namespace haloscope
