#include "render/Image.h"

#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <memory>
#include <string>

#include "language/Text.h"

namespace haloscope::render {

Image::Image(int imageWidth, int imageHeight)
    : width(imageWidth),
      height(imageHeight),
      rgba(static_cast<std::size_t>(imageWidth) * static_cast<std::size_t>(imageHeight) * 4) {}

std::array<std::uint8_t, 4> Image::at(int x, int y) const {
  const std::size_t i =
      (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
  return {rgba.at(i), rgba.at(i + 1), rgba.at(i + 2), rgba.at(i + 3)};
}

void Image::flip() {
  const auto row = static_cast<std::ptrdiff_t>(width) * 4;
  for (std::ptrdiff_t top = 0, bottom = height - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(rgba.begin() + top * row, rgba.begin() + (top + 1) * row, rgba.begin() + bottom * row);
  }
}

Image Image::read(const std::filesystem::path& path) {
  int width = 0;
  int height = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(stbi_load(path.c_str(), &width, &height, nullptr, 4),
                                                         stbi_image_free);
  if (!pixels) throw ImageError(trf("cannot read the picture {}: {}", path.string(), stbi_failure_reason()));
  Image image(width, height);
  std::copy_n(pixels.get(), image.rgba.size(), image.rgba.begin());
  return image;
}

std::string Image::png() const {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  stbi_write_png_to_func(append, &bytes, width, height, 4, rgba.data(), width * 4);
  return bytes;
}

}  // namespace haloscope::render
