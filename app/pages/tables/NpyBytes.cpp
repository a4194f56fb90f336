#include "tables/NpyBytes.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "program/Program.h"

namespace haloscope::tables {

namespace {

/// Its name in NumPy, of little endian bytes.
const char* numpyName(ValueType type) {
  switch (type) {
    case ValueType::Bool:
      return "|b1";
    case ValueType::I8:
      return "|i1";
    case ValueType::U8:
      return "|u1";
    case ValueType::I16:
      return "<i2";
    case ValueType::U16:
      return "<u2";
    case ValueType::I32:
      return "<i4";
    case ValueType::U32:
      return "<u4";
    case ValueType::I64:
      return "<i8";
    case ValueType::U64:
    case ValueType::Pointer:
      return "<u8";
    case ValueType::F16:
      return "<f2";
    case ValueType::F32:
      return "<f4";
    case ValueType::F64:
      return "<f8";
  }
  return "";
}

}  // namespace

std::string npyBytes(const ArrayData& array) {
  std::string shape;
  for (const std::int64_t extent : array.extents) { shape += fmt::format("{},", extent); }
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", numpyName(array.element), shape);
  constexpr std::size_t kPrefix = 10, kAlignment = 64;
  while ((kPrefix + header.size() + 1) % kAlignment != 0) { header += ' '; }
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  for (const std::byte one : array.bytes) { bytes += static_cast<char>(one); }
  return bytes;
}

}  // namespace haloscope::tables
