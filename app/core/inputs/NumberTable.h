#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Numbers that the user chose: a list, or a file of them.
namespace haloscope::inputs {

/// Of a file.
inline constexpr std::size_t kMostNumbers = std::size_t{1} << 25;

struct NumberTable {
  std::vector<std::int64_t> extents;  ///< slowest axis first
  std::vector<double> values;
  bool grey = false;  ///< grey values of a picture, 0 to 255: arrays of real numbers hold them as 0 to 1
  bool operator==(const NumberTable&) const = default;
};

/// Extents without those of 1: a row of a plane is alike in shape to a list.
[[nodiscard]] std::vector<std::int64_t> longAxes(std::vector<std::int64_t> extents);

/// "7 numbers", "3 × 4 numbers", "640 × 480 pixels".
[[nodiscard]] std::string sizeText(const NumberTable& table);

/// The finite number that a text is, apart from spaces around it; nothing for any other text.
[[nodiscard]] std::optional<double> numberOf(std::string_view text);

/// Numbers separated by commas, rows by slashes: "8,2,5" or "0,1,0/1,-4,1/0,1,0". Throws InputError, which begins with
/// the number that is none.
[[nodiscard]] NumberTable parseList(const std::string& text);

/// The numbers of a file, by the ending of its name: text (.csv, .tsv, .txt), NumPy's .npy, or a picture. Throws
/// InputError, which begins with the file's name.
[[nodiscard]] NumberTable readNumbers(const std::filesystem::path& path);

/// The numbers of a text with one row a line, separated by commas, semicolons or spaces; `#` begins a comment. Throws
/// InputError naming `file`, line and column.
[[nodiscard]] NumberTable parseRows(const std::string& file, const std::string& text);
/// The numbers of the bytes of an .npy file. Throws InputError naming `file` and what is wrong with it.
[[nodiscard]] NumberTable parseNpy(const std::string& file, const std::string& bytes);

}  // namespace haloscope::inputs
