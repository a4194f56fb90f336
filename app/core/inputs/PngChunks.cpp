#include "inputs/PngChunks.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "language/Text.h"

namespace haloscope::inputs {

namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";

constexpr std::array<std::uint32_t, 256> kRemainders = [] {
  constexpr std::uint32_t kPolynomial = 0xedb88320;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) { rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? kPolynomial : 0U); }
    table[byte] = rest;
  }
  return table;
}();

/// CRC-32, as PNG, zlib and Ethernet have it.
std::uint32_t checksum(std::string_view bytes) {
  std::uint32_t rest = 0xffffffff;
  for (const char c : bytes) { rest = kRemainders[(rest ^ static_cast<unsigned char>(c)) & 0xffU] ^ (rest >> 8U); }
  return ~rest;
}

std::uint32_t numberAt(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) { value = value << 8U | static_cast<unsigned char>(bytes[at + i]); }
  return value;
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::string damageOfPng(std::string_view bytes) {
  if (!bytes.starts_with(kSignature)) { return {}; }
  constexpr std::size_t kAround = 12;  // bytes of a part besides its data: length, name, checksum
  for (std::size_t at = kSignature.size();;) {
    if (bytes.size() - at < kAround) { return trf("it ends after {} bytes, before its last part", bytes.size()); }
    const std::string_view name = bytes.substr(at + 4, 4);
    if (!std::ranges::all_of(name, isLetter)) { return trf("at byte {} no part of a PNG begins", at); }
    const std::size_t length = numberAt(bytes, at);
    if (length > bytes.size() - at - kAround) {
      return trf("its part {} at byte {} is cut off: {} of {} bytes are there", name, at, bytes.size() - at - kAround,
                 length);
    }
    if (checksum(bytes.substr(at + 4, 4 + length)) != numberAt(bytes, at + 8 + length)) {
      return trf("the checksum of its part {} at byte {} is wrong", name, at);
    }
    if (name == "IEND") { return {}; }
    at += kAround + length;
  }
}

namespace {

/// Bytes of all rows as they are compressed: one for the filter, then the points; of an interlaced picture of its seven
/// smaller ones.
std::uint64_t bytesOfRows(std::string_view header) {
  constexpr std::array<std::uint64_t, 7> kSamples{1, 0, 3, 1, 2, 0, 4};  // by colour type
  const auto colour = static_cast<unsigned char>(header[9]);
  const std::uint64_t width = numberAt(header, 0), height = numberAt(header, 4);
  const std::uint64_t bits = (colour < kSamples.size() ? kSamples[colour] : 0) * static_cast<unsigned char>(header[8]);
  const auto rows = [&](std::uint64_t across, std::uint64_t down) {
    return across == 0 ? 0 : down * (1 + (across * bits + 7) / 8);
  };
  if (header[12] == 0) { return rows(width, height); }
  struct Pass {
    std::uint64_t x, y, stepX, stepY;
  };
  constexpr std::array<Pass, 7> kPasses{
      {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}};
  std::uint64_t bytes = 0;
  for (const Pass& pass : kPasses) {
    bytes += rows((width + pass.stepX - 1 - pass.x) / pass.stepX, (height + pass.stepY - 1 - pass.y) / pass.stepY);
  }
  return bytes;
}

/// Counts what compressed bytes become, without keeping it.
class Inflated {
 public:
  /// `raw`: without zlib's own header.
  explicit Inflated(bool raw) { good_ = inflateInit2(&stream_, raw ? -MAX_WBITS : MAX_WBITS) == Z_OK; }
  Inflated(const Inflated&) = delete;
  Inflated& operator=(const Inflated&) = delete;
  ~Inflated() { inflateEnd(&stream_); }

  /// More bytes, until there are more than `most` or an end. False if they are damaged: another decoder may take them.
  bool add(std::string_view bytes, std::uint64_t most) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (good_ && !ended_ && count_ <= most) {
      stream_.next_out = part_.data();
      stream_.avail_out = static_cast<uInt>(part_.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      count_ += part_.size() - stream_.avail_out;
      ended_ = status == Z_STREAM_END;
      good_ = ended_ || status == Z_OK || status == Z_BUF_ERROR;
      if (stream_.avail_out != 0) { break; }  // there is no more
    }
    return good_;
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  z_stream stream_{};
  std::array<Bytef, 65536> part_{};
  bool good_ = false, ended_ = false;
  std::uint64_t count_ = 0;
};

}  // namespace

std::string excessOfPng(std::string_view bytes) {
  constexpr std::size_t kHeaderBytes = 13, kAround = 12;
  if (!bytes.starts_with(kSignature) || !damageOfPng(bytes).empty()) { return {}; }
  std::uint64_t most = 0;
  bool raw = false;  // as some telephones write it
  std::vector<std::string_view> parts;
  for (std::size_t at = kSignature.size(); at < bytes.size();) {
    const std::size_t length = numberAt(bytes, at);
    const std::string_view name = bytes.substr(at + 4, 4), data = bytes.substr(at + 8, length);
    if (name == "IHDR" && length >= kHeaderBytes) { most = bytesOfRows(data); }
    raw = raw || name == "CgBI";
    if (name == "IDAT") { parts.push_back(data); }
    if (name == "IEND") { break; }
    at += kAround + length;
  }
  Inflated points(raw);
  for (const std::string_view part : parts) {
    if (!points.add(part, most)) { return tr("its points cannot be decompressed"); }
    if (points.count() > most) { return trf("its points are more than the {} bytes that its header says", most); }
  }
  return {};
}

}  // namespace haloscope::inputs
