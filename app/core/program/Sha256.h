#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace haloscope {

/// SHA-256 of FIPS 180-4: names texts in caches and in records, and recognises those that ship with the program.
class Sha256 {
 public:
  /// The next bytes: those of several calls count as one text.
  void add(std::string_view bytes);
  /// Of all that was added: 64 hexadecimal digits. Ends this object: nothing may be added any more.
  [[nodiscard]] std::string digits();

 private:
  static constexpr std::size_t kBlock = 64;  ///< bytes

  void mix(const char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::string rest_;  ///< less than a block
  std::uint64_t bytes_ = 0;
};

}  // namespace haloscope
