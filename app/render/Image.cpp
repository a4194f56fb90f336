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

void Image::writePng(const std::filesystem::path& path) const {
  if (stbi_write_png(path.c_str(), width, height, 4, rgba.data(), width * 4) == 0) {
    throw ImageError(trf("cannot write the picture {}", path.string()));
  }
}

}  // namespace haloscope::render
