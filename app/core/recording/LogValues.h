#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "program/Program.h"

namespace haloscope::recording {

/// Values in the words of a log.
[[nodiscard]] inline std::uint64_t word64(std::span<const std::uint32_t> words, std::size_t at) {
  return words[at] | (at + 1 < words.size() ? std::uint64_t{words[at + 1]} << 32 : 0);
}

[[nodiscard]] inline std::uint64_t lowBytes(std::uint64_t bits, int bytes) {
  return bytes >= 8 ? bits : bits & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

/// Scalars one after another, each where its size wants it, as a struct in memory has them.
class Scalars {
 public:
  explicit Scalars(std::span<const std::uint32_t> words) : words_(words) {}

  /// A value alone takes whole words, whatever its size.
  [[nodiscard]] std::uint64_t alone() const { return words_.size() > 1 ? word64(words_, 0) : words_[0]; }
  [[nodiscard]] std::optional<std::uint64_t> next(ValueType type) {
    const auto size = static_cast<std::size_t>(sizeInMemory(type));
    at_ = (at_ + size - 1) / size * size;
    if (at_ + size > words_.size_bytes()) { return std::nullopt; }
    std::uint64_t bits = 0;
    const std::span<const std::byte> bytes = std::as_bytes(words_);
    std::memcpy(&bits, bytes.data() + at_, size);
    offset_ = at_;
    at_ += size;
    return bits;
  }
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  std::span<const std::uint32_t> words_;
  std::size_t at_ = 0, offset_ = 0;
};

/// What an atomic operation leaves behind that found `old`; `other` is its second operand, where it has one.
[[nodiscard]] std::uint64_t leftBy(const Instruction& instruction, std::uint64_t old, std::uint64_t operand,
                                   std::uint64_t other);

}  // namespace haloscope::recording
