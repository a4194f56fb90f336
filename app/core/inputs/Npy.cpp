#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "inputs/NumberTable.h"
#include "language/Text.h"
#include "program/Half.h"
#include "program/SourceLocation.h"

/// NumPy's format: "\x93NUMPY", a version, the header's length, the header (a Python dictionary), the elements.
namespace haloscope::inputs {

namespace {

[[noreturn]] void damaged(const std::string& file, const std::string& what) {
  throw InputError(trf("{}: damaged: {}", file, what));
}

/// What follows `'key':` in the dictionary. Throws InputError where it has no such key.
std::string_view valueOf(const std::string& file, std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::size_t found = header.find(fmt::format("{}{}{}", quote, key, quote));
    const std::size_t colon = found == std::string_view::npos ? found : header.find(':', found);
    const std::size_t begin = colon == std::string_view::npos ? colon : header.find_first_not_of(' ', colon + 1);
    if (begin != std::string_view::npos) { return header.substr(begin); }
  }
  damaged(file, trf("its header has no \"{}\"", key));
}

std::vector<std::int64_t> shapeOf(const std::string& file, std::string_view text) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) { damaged(file, tr("its shape is not a tuple")); }
  std::vector<std::int64_t> shape;
  const char* at = text.data() + 1;
  const char* const last = text.data() + end;
  while (at != last) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    std::int64_t extent = 0;
    const auto [next, error] = std::from_chars(at, last, extent);
    if (error != std::errc() || extent < 0) { damaged(file, tr("its shape is not a tuple of lengths")); }
    shape.push_back(extent);
    at = next;
  }
  return shape;
}

template <typename T, typename Bits>
double decoded(const char* at, bool swapped) {
  std::array<char, sizeof(Bits)> bytes{};
  std::copy_n(at, bytes.size(), bytes.begin());
  if (swapped) { std::ranges::reverse(bytes); }
  return static_cast<double>(std::bit_cast<T>(bytes));
}

double decodedHalf(const char* at, bool swapped) {
  return halfValue(static_cast<std::uint16_t>(decoded<std::uint16_t, std::uint16_t>(at, swapped)));
}

struct ElementType {
  std::string_view name;
  std::size_t bytes;
  double (*decode)(const char* at, bool swapped);
};
constexpr ElementType kElementTypes[] = {
    {"f2", 2, decodedHalf},
    {"f4", 4, decoded<float, std::uint32_t>},
    {"f8", 8, decoded<double, std::uint64_t>},
    {"b1", 1, decoded<std::uint8_t, std::uint8_t>},
    {"i1", 1, decoded<std::int8_t, std::uint8_t>},
    {"u1", 1, decoded<std::uint8_t, std::uint8_t>},
    {"i2", 2, decoded<std::int16_t, std::uint16_t>},
    {"u2", 2, decoded<std::uint16_t, std::uint16_t>},
    {"i4", 4, decoded<std::int32_t, std::uint32_t>},
    {"u4", 4, decoded<std::uint32_t, std::uint32_t>},
    {"i8", 8, decoded<std::int64_t, std::uint64_t>},
    {"u8", 8, decoded<std::uint64_t, std::uint64_t>},
};

/// The header, and where the elements begin.
std::pair<std::string_view, std::size_t> headerOf(const std::string& file, const std::string& bytes) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (!bytes.starts_with(kMagic)) { throw InputError(trf("{}: not an .npy file", file)); }
  const std::size_t lengthAt = kMagic.size() + 2;
  const bool longLength = bytes.size() > kMagic.size() && bytes[kMagic.size()] > 1;
  const std::size_t headerAt = lengthAt + (longLength ? 4 : 2);
  if (bytes.size() < headerAt) { damaged(file, tr("it ends before its header")); }
  std::size_t length = 0;
  for (std::size_t i = headerAt; i-- > lengthAt;) { length = length << 8U | static_cast<unsigned char>(bytes[i]); }
  if (length > bytes.size() - headerAt) { damaged(file, tr("it ends within its header")); }
  return {std::string_view(bytes).substr(headerAt, length), headerAt + length};
}

}  // namespace

NumberTable parseNpy(const std::string& file, const std::string& bytes) {
  const auto [header, dataAt] = headerOf(file, bytes);
  const std::string_view described = valueOf(file, header, "descr");
  const std::string_view quoted = described.substr(0, described.find_first_of(",}"));
  if (quoted.size() < 4) { damaged(file, tr("its element type cannot be read")); }
  const char order = quoted[1];
  const std::string_view name = quoted.substr(2, quoted.find_first_of("'\"", 1) - 2);
  const auto* const type = std::ranges::find(kElementTypes, name, &ElementType::name);
  if (type == std::end(kElementTypes)) {
    throw InputError(
        trf("{}: its elements are {}, not real numbers or integers; save it with "
            "array.astype(\"float32\")",
            file, quoted));
  }
  NumberTable table;
  table.extents = shapeOf(file, valueOf(file, header, "shape"));
  constexpr std::size_t kMostAxes = 64;  // NumPy's
  if (table.extents.size() > kMostAxes) {
    damaged(file, trf("its array has {} axes, and there may be {}", table.extents.size(), kMostAxes));
  }
  if (valueOf(file, header, "fortran_order").starts_with("True") && table.extents.size() > 1) {
    throw InputError(trf("{}: its elements are in Fortran's order; save it with numpy.ascontiguousarray(array)", file));
  }
  std::size_t count = 1;
  for (const std::int64_t extent : table.extents) {
    if (extent == 0) { throw InputError(trf("{}: its array has no element", file)); }
    if (static_cast<std::uint64_t>(extent) > kMostNumbers / count) {
      throw InputError(
          trf("{}: {} elements; an .npy file may have up to {}", file, fmt::join(table.extents, " × "), kMostNumbers));
    }
    count *= static_cast<std::size_t>(extent);
  }
  if (bytes.size() - dataAt != count * type->bytes) {
    damaged(file, trf("its header describes {} elements of {} bytes, {} bytes in all; {} follow",
                      table.extents.empty() ? "1" : fmt::format("{}", fmt::join(table.extents, " × ")), type->bytes,
                      count * type->bytes, bytes.size() - dataAt));
  }
  const bool swapped = order == '>';
  table.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double value = type->decode(bytes.data() + dataAt + i * type->bytes, swapped);
    if (!std::isfinite(value)) { throw InputError(trf("{}: element {} is {}, not a number", file, i, value)); }
    table.values.push_back(value);
  }
  table.extents = longAxes(std::move(table.extents));
  return table;
}

}  // namespace haloscope::inputs
