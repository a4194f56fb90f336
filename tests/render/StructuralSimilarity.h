#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/Image.h"

namespace haloscope::render {

/// Luma by Rec. 601, 0…255, one value per pixel.
inline std::vector<float> luma(const Image& image) {
  std::vector<float> values(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint8_t* pixel = image.rgba.data() + i * 4;
    values[i] = 0.299F * pixel[0] + 0.587F * pixel[1] + 0.114F * pixel[2];
  }
  return values;
}

/// Of one window of the two pictures, whose rows are `stride` pixels long.
inline double windowSimilarity(const std::vector<float>& a, const std::vector<float>& b, int stride, int x0, int y0,
                               int edgeX, int edgeY) {
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
  // The constants that the paper recommends for 8-bit pictures.
  constexpr double kC1 = 0.01 * 255 * 0.01 * 255;
  constexpr double kC2 = 0.03 * 255 * 0.03 * 255;
  return (2 * meanA * meanB + kC1) * (2 * covariance + kC2) /
         ((meanA * meanA + meanB * meanB + kC1) * (varianceA + varianceB + kC2));
}

/// How similar two pictures look: the mean structural similarity (SSIM) of their luma, 1 for equal pictures, over
/// windows of 8×8 pixels, every 4 (Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility
/// to structural similarity", 2004). 0 if the sizes differ.
inline double structuralSimilarity(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height || a.width == 0 || a.height == 0) return 0;
  constexpr int kWindow = 8;
  constexpr int kStride = 4;
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
