#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace haloscope::render {

/// A picture file that cannot be read or written. what() names it.
class ImageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A picture: 8 bits a channel, RGBA, top row first.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  ///< 4 * width * height

  Image() = default;
  Image(int imageWidth, int imageHeight);

  [[nodiscard]] std::array<std::uint8_t, 4> at(int x, int y) const;

  /// Exchanges top and bottom.
  void flip();

  /// Any format stb_image knows. Throws ImageError.
  static Image read(const std::filesystem::path& path);
  /// The bytes of a PNG file.
  [[nodiscard]] std::string png() const;
};

}  // namespace haloscope::render
