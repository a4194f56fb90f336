#pragma once

#include <cstdint>
#include <filesystem>

namespace haloscope::render {

/// A picture file as a texture that looks well at a smaller size, too. Belongs to the context that is current when it
/// is made, and must go before it.
class PictureTexture {
 public:
  /// Throws ImageError.
  explicit PictureTexture(const std::filesystem::path& path);
  ~PictureTexture();
  PictureTexture(const PictureTexture&) = delete;
  PictureTexture& operator=(const PictureTexture&) = delete;

  [[nodiscard]] std::uint32_t texture() const { return texture_; }
  [[nodiscard]] int width() const { return width_; }    ///< pixels
  [[nodiscard]] int height() const { return height_; }  ///< pixels

 private:
  std::uint32_t texture_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace haloscope::render
