// expects: exited 0
// expects: launches 1
// expects: prints largest difference
// A class that owns its memory, as C++ programs write it; the constructor allocates, the destructor frees.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

constexpr int kRadius = 2;
__constant__ float weights[2 * kRadius + 1];

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

class Image {
 public:
  Image(int width, int height) : width_(width), height_(height) { check(cudaMalloc(&pixels_, bytes())); }
  ~Image() { cudaFree(pixels_); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  Image(Image&& other) noexcept
      : width_(other.width_), height_(other.height_), pixels_(std::exchange(other.pixels_, nullptr)) {}

  void upload(const std::vector<float>& from) { check(cudaMemcpy(pixels_, from.data(), bytes(), cudaMemcpyHostToDevice)); }
  std::vector<float> download() const {
    std::vector<float> to(static_cast<std::size_t>(width_) * height_);
    check(cudaMemcpy(to.data(), pixels_, bytes(), cudaMemcpyDeviceToHost));
    return to;
  }
  float* data() { return pixels_; }
  const float* data() const { return pixels_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  std::size_t bytes() const { return sizeof(float) * width_ * height_; }
  int width_, height_;
  float* pixels_ = nullptr;
};

__global__ void blurRows(const float* __restrict__ in, float* __restrict__ out, int width, int height) {  // matches: (anonymous namespace)::blurRowsOnHost
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int d = -kRadius; d <= kRadius; ++d) {
    const int at = min(max(x + d, 0), width - 1);
    sum += weights[d + kRadius] * in[y * width + at];
  }
  out[y * width + x] = sum;
}

void blurRowsOnHost(const float* in, const float* filter, float* out, int width, int height) {
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int d = -kRadius; d <= kRadius; ++d) {
        const int at = x + d < 0 ? 0 : x + d >= width ? width - 1 : x + d;
        sum += filter[d + kRadius] * in[y * width + at];
      }
      out[y * width + x] = sum;
    }
  }
}

Image blurred(const Image& image) {
  Image result(image.width(), image.height());
  const dim3 block(32, 4);
  const dim3 grid((image.width() + block.x - 1) / block.x, (image.height() + block.y - 1) / block.y);
  blurRows<<<grid, block>>>(image.data(), result.data(), image.width(), image.height());
  check(cudaGetLastError());
  return result;
}

}  // namespace

int main() {
  const int width = 70, height = 37;
  const float filter[2 * kRadius + 1] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  check(cudaMemcpyToSymbol(weights, filter, sizeof filter));
  std::vector<float> pixels(width * height), expected(width * height);
  for (int i = 0; i < width * height; ++i) pixels[i] = static_cast<float>((i * 37) % 101);
  Image image(width, height);
  image.upload(pixels);
  const std::vector<float> result = blurred(image).download();
  blurRowsOnHost(pixels.data(), filter, expected.data(), width, height);
  float largest = 0;
  for (int i = 0; i < width * height; ++i) largest = std::fmax(largest, std::fabs(result[i] - expected[i]));
  std::printf("largest difference %g\n", largest);
  return largest < 1e-4f ? 0 : 1;
}
