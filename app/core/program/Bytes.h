#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "program/SourceLocation.h"

/// The bytes of what is stored or sent between processes: small numbers in few bytes, the same on every machine.
namespace haloscope {

/// Appends values to bytes; ByteReader reads them back in the same order.
class ByteWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(std::byte{value}); }
  void boolean(bool value) { byte(value ? 1 : 0); }

  /// Seven bits in each byte, the lowest first: LEB128.
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) { byte(static_cast<std::uint8_t>(value | 0x80)); }
    byte(static_cast<std::uint8_t>(value));
  }
  /// Small ones of either sign are short.
  void signedNumber(std::int64_t value) {
    number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  /// Eight bytes, for bits without a likely size.
  void fixed(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) { byte(static_cast<std::uint8_t>(value >> shift)); }
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void enumerator(Enum value) {
    static_assert(sizeof(Enum) == 1);
    byte(static_cast<std::uint8_t>(value));
  }

  void count(std::size_t value) { number(value); }
  void text(std::string_view value) { bytes(std::as_bytes(std::span(value))); }
  /// How many, and they.
  void bytes(std::span<const std::byte> values) {
    count(values.size());
    raw(values);
  }
  /// They alone.
  void raw(std::span<const std::byte> values) { bytes_.insert(bytes_.end(), values.begin(), values.end()); }
  /// By its distance from one that the reader knows.
  void range(const SourceRange& value, const SourceRange& near = {}) {
    signedNumber(std::int64_t{value.line} - near.line);
    signedNumber(std::int64_t{value.column} - near.column);
    signedNumber(std::int64_t{value.endLine} - value.line);
    signedNumber(std::int64_t{value.endColumn} - value.column);
  }

  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what a ByteWriter has written, where the bytes may be damaged or forged: each function throws InputError,
/// which begins with `what`, if they end too early or hold no such value. Each value has one form: what is longer than
/// it need be is refused.
class ByteReader {
 public:
  /// Lines and columns beyond this are refused, so that tables by line stay small: a text has fewer bytes.
  static constexpr int kMaxLine = 1 << 19;

  ByteReader(std::span<const std::byte> bytes, std::string what) : bytes_(bytes), what_(std::move(what)) {}

  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

  [[nodiscard]] std::uint8_t byte() {
    if (at_ == bytes_.size()) { endsEarly(); }
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  [[nodiscard]] bool boolean() { return within(byte(), 1) != 0; }

  [[nodiscard]] std::uint64_t number() {
    const std::uint8_t first = byte();
    return first < 0x80 ? first : longNumber(first);
  }
  /// A number up to `most`.
  template <typename Integer = std::uint64_t>
  [[nodiscard]] Integer number(std::uint64_t most) {
    static_assert(std::is_unsigned_v<Integer>);
    return static_cast<Integer>(within(number(), most));
  }
  /// Any number of 32 bits.
  [[nodiscard]] std::uint32_t word() { return number<std::uint32_t>(std::numeric_limits<std::uint32_t>::max()); }
  [[nodiscard]] std::int64_t signedNumber() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }
  [[nodiscard]] std::uint64_t fixed();
  template <typename Enum>
    requires std::is_enum_v<Enum>
  [[nodiscard]] Enum enumerator(Enum last) {
    return static_cast<Enum>(within(byte(), static_cast<std::uint64_t>(last)));
  }

  /// How many values follow, each of which takes at least `bytesEach`: never more than the bytes that are left allow.
  [[nodiscard]] std::size_t count(std::size_t bytesEach = 1) {
    const std::uint64_t value = number();
    if (value > left() / bytesEach) { endsEarly(); }
    return static_cast<std::size_t>(value);
  }
  [[nodiscard]] std::string text();
  /// Valid as long as the bytes that are read.
  [[nodiscard]] std::span<const std::byte> bytes() { return raw(count()); }
  [[nodiscard]] std::span<const std::byte> raw(std::size_t size) {
    if (size > left()) { endsEarly(); }
    return bytes_.subspan(std::exchange(at_, at_ + size), size);
  }
  /// Lines and columns are from 0 to kMaxLine.
  [[nodiscard]] SourceRange range(const SourceRange& near = {}) {
    SourceRange value{.line = place(near.line), .column = place(near.column)};
    value.endLine = place(value.line);
    value.endColumn = place(value.column);
    return value;
  }

  /// What was read is no such value.
  [[noreturn]] void refuse() const;
  /// Nothing may be left.
  void finish() {
    if (left() != 0) { refuseRest(); }
  }

 private:
  [[nodiscard]] std::uint64_t within(std::uint64_t value, std::uint64_t most) {
    if (value > most) { refuse(); }
    return value;
  }
  [[nodiscard]] int place(int near) {
    const std::int64_t distance = signedNumber();
    // The distance alone is compared first: the sum of any two could overflow.
    if (distance < -near || distance > kMaxLine - near) { refuse(); }
    return static_cast<int>(near + distance);
  }
  [[nodiscard]] std::uint64_t longNumber(std::uint8_t first);
  [[noreturn]] void endsEarly() const;
  [[noreturn]] void refuseRest() const;

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  std::string what_;
};

}  // namespace haloscope
