// expects: exited 0
// expects: launches 1
// expects: prints correct
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <random>
#include <vector>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t err = (call);                                                                    \
    if (err != cudaSuccess) {                                                                    \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " << cudaGetErrorString(err) << std::endl;  \
      std::exit(1);                                                                              \
    }                                                                                            \
  } while (0)

constexpr int kRadius = 2;
constexpr int kWidth = 2 * kRadius + 1;
__constant__ float weights[kWidth][kWidth];

template <int TILE>
__global__ void convolve(const float* __restrict__ in, float* __restrict__ out, int rows, int cols) {  // matches: reference
  __shared__ float tile[TILE + 2 * kRadius][TILE + 2 * kRadius];
  const int col = blockIdx.x * TILE + threadIdx.x - kRadius;
  const int row = blockIdx.y * TILE + threadIdx.y - kRadius;
  tile[threadIdx.y][threadIdx.x] = row >= 0 && row < rows && col >= 0 && col < cols ? in[row * cols + col] : 0.0f;
  __syncthreads();
  const int ty = threadIdx.y - kRadius, tx = threadIdx.x - kRadius;
  if (ty < 0 || ty >= TILE || tx < 0 || tx >= TILE || row >= rows || col >= cols) return;
  float sum = 0;
  for (int fy = 0; fy < kWidth; ++fy) {
    for (int fx = 0; fx < kWidth; ++fx) sum += weights[fy][fx] * tile[ty + fy][tx + fx];
  }
  out[row * cols + col] = sum;
}

static void reference(const std::vector<float>& in, const std::vector<float>& w, std::vector<float>& out, int rows, int cols) {
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < cols; ++x) {
      float sum = 0;
      for (int fy = 0; fy < kWidth; ++fy) {
        for (int fx = 0; fx < kWidth; ++fx) {
          const int sy = y + fy - kRadius, sx = x + fx - kRadius;
          if (sy >= 0 && sy < rows && sx >= 0 && sx < cols) sum += w[fy * kWidth + fx] * in[sy * cols + sx];
        }
      }
      out[y * cols + x] = sum;
    }
  }
}

int main() {
  const int rows = 53, cols = 70;
  std::mt19937 generator(2024);
  std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
  std::vector<float> in(rows * cols), out(in.size()), expected(in.size()), w(kWidth * kWidth);
  std::generate(in.begin(), in.end(), [&] { return uniform(generator); });
  std::generate(w.begin(), w.end(), [&] { return uniform(generator); });

  float *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaMalloc(&d_in, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));
  CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof(float)));

  constexpr int TILE = 12;
  const dim3 block(TILE + 2 * kRadius, TILE + 2 * kRadius);
  const dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  const auto begin = std::chrono::high_resolution_clock::now();
  convolve<TILE><<<grid, block>>>(d_in, d_out, rows, cols);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> took = std::chrono::high_resolution_clock::now() - begin;
  CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));

  reference(in, w, expected, rows, cols);
  float worst = 0;
  for (size_t i = 0; i < out.size(); ++i) worst = std::max(worst, std::abs(out[i] - expected[i]));
  std::cout << "GPU took " << took.count() << " ms, " << (worst < 1e-4f ? "correct" : "wrong") << ", error " << worst << '\n';
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}
