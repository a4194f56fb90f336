#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace haloscope::running {

/// Bytes one after the other, of an allocation; half open.
struct ByteRun {
  std::uint64_t begin = 0, end = 0;
};

/// Some bytes of an allocation: rows, or units of which a bitmap has one bit each.
class ByteSet {
 public:
  ByteSet() = default;
  [[nodiscard]] static ByteSet rows(std::uint64_t begin, std::uint64_t pitch, std::uint64_t width,
                                    std::uint64_t height);
  /// 64 units a word.
  [[nodiscard]] static ByteSet units(std::uint64_t unitBytes, std::vector<std::uint64_t> bits);

  [[nodiscard]] bool empty() const { return begin_ == end_; }
  /// Bytes of memory that it takes.
  [[nodiscard]] std::uint64_t cost() const { return bits_.size() * sizeof bits_.front(); }
  /// The first of these bytes from there on, with those that follow it without a gap.
  [[nodiscard]] std::optional<ByteRun> next(std::uint64_t from) const;

 private:
  std::uint64_t begin_ = 0, end_ = 0;  ///< from the first byte to the last
  std::uint64_t pitch_ = 0, width_ = 0;
  std::uint64_t unit_ = 0;  ///< 0: rows
  std::uint64_t base_ = 0;  ///< unit of the first bit
  std::vector<std::uint64_t> bits_;
};

/// The first bytes from there on that are in both.
[[nodiscard]] std::optional<ByteRun> firstCommon(const ByteSet& one, const ByteSet& other, std::uint64_t from = 0);

}  // namespace haloscope::running
