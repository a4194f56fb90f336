#include "render/Image.h"

#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <memory>
#include <string>

namespace haloscope::render {

namespace {

constexpr int kWindow = 8;  ///< edge of a window of the structural similarity
constexpr int kStride = 4;

/// Brightness as the eye weighs it (Rec. 601), 0…255.
std::vector<float> luma(const Image& image) {
  std::vector<float> values(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint8_t* pixel = image.rgba.data() + i * 4;
    values[i] = 0.299F * pixel[0] + 0.587F * pixel[1] + 0.114F * pixel[2];
  }
  return values;
}

double windowSimilarity(const std::vector<float>& a, const std::vector<float>& b, int stride, int x0, int y0, int edgeX,
                        int edgeY) {
  double sumA = 0;
  double sumB = 0;
  double sumAA = 0;
  double sumBB = 0;
  double sumAB = 0;
  for (int y = y0; y < y0 + edgeY; ++y) {
    for (int x = x0; x < x0 + edgeX; ++x) {
      const std::size_t i =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(stride) + static_cast<std::size_t>(x);
      const double va = a[i];
      const double vb = b[i];
      sumA += va;
      sumB += vb;
      sumAA += va * va;
      sumBB += vb * vb;
      sumAB += va * vb;
    }
  }
  const double n = edgeX * edgeY;
  const double meanA = sumA / n;
  const double meanB = sumB / n;
  const double varianceA = sumAA / n - meanA * meanA;
  const double varianceB = sumBB / n - meanB * meanB;
  const double covariance = sumAB / n - meanA * meanB;
  // The paper's constants for 8-bit pictures.
  constexpr double kC1 = 0.01 * 255 * 0.01 * 255;
  constexpr double kC2 = 0.03 * 255 * 0.03 * 255;
  return (2 * meanA * meanB + kC1) * (2 * covariance + kC2) /
         ((meanA * meanA + meanB * meanB + kC1) * (varianceA + varianceB + kC2));
}

}  // namespace

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
  if (!pixels) throw ImageError("cannot read the picture " + path.string() + ": " + stbi_failure_reason());
  Image image(width, height);
  std::copy_n(pixels.get(), image.rgba.size(), image.rgba.begin());
  return image;
}

void Image::writePng(const std::filesystem::path& path) const {
  if (stbi_write_png(path.c_str(), width, height, 4, rgba.data(), width * 4) == 0) {
    throw ImageError("cannot write the picture " + path.string());
  }
}

double structuralSimilarity(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height || a.width == 0 || a.height == 0) return 0;
  const std::vector<float> lumaA = luma(a);
  const std::vector<float> lumaB = luma(b);
  const int edgeX = std::min(kWindow, a.width);
  const int edgeY = std::min(kWindow, a.height);
  double sum = 0;
  std::size_t windows = 0;
  for (int y = 0; y + edgeY <= a.height; y += kStride) {
    for (int x = 0; x + edgeX <= a.width; x += kStride) {
      sum += windowSimilarity(lumaA, lumaB, a.width, x, y, edgeX, edgeY);
      ++windows;
    }
  }
  return sum / static_cast<double>(windows);
}

}  // namespace haloscope::render
