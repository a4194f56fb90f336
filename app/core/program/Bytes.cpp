#include "program/Bytes.h"

#include "language/Text.h"

namespace haloscope {

std::uint64_t ByteReader::longNumber(std::uint8_t first) {
  std::uint64_t value = first & 0x7fU;
  for (int shift = 7;; shift += 7) {
    const std::uint8_t next = byte();
    // The tenth byte holds the 64th bit; a last byte of zero would make the number longer than it need be.
    if (next == 0 || (shift == 63 && next > 1)) { refuse(); }
    value |= std::uint64_t{next & 0x7fU} << shift;
    if (next < 0x80) { return value; }
  }
}

std::uint64_t ByteReader::fixed() {
  std::uint64_t value = 0;
  int shift = 0;
  for (const std::byte byte : raw(sizeof value)) {
    value |= std::to_integer<std::uint64_t>(byte) << shift;
    shift += 8;
  }
  return value;
}

std::string ByteReader::text() {
  const std::span<const std::byte> all = bytes();
  return {reinterpret_cast<const char*>(all.data()), all.size()};
}

void ByteReader::endsEarly() const { throw InputError(trf("{} cannot be read: {}", what_, tr("it ends too early"))); }

void ByteReader::refuse() const {
  throw InputError(trf("{} cannot be read: {}", what_, tr("a number in it is out of range")));
}

void ByteReader::refuseRest() const {
  throw InputError(trf("{} cannot be read: {}", what_, tr("more follows after its end")));
}

}  // namespace haloscope
