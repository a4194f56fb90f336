// runs within: 4000000 instructions
// expects: exited 0
// expects: launches 40
// expects: prints middle 1.0
// expects: sizes NX is 258 here instead of 2050 (line 12) and NY is 128 instead of 1024 (line 13)
#include <cstdio>
#include <vector>

// Two constants keep their ratio and what they leave over at a border: 2050 = 128 blocks of 16 and 2 more.

namespace config {
constexpr int NX = 2050;
const int NY = 1024;
}  // namespace config

__global__ void sweep(const float *in, float *out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1) return;
  out[y * nx + x] = 0.25f * (in[y * nx + x - 1] + in[y * nx + x + 1] + in[(y - 1) * nx + x] + in[(y + 1) * nx + x]);
}

int main() {
  using namespace config;
  const int sweeps = 40;
  std::vector<float> h(NX * NY, 1.0f);
  const size_t bytes = h.size() * sizeof(float);
  float *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, h.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), bytes, cudaMemcpyHostToDevice);
  const dim3 block(16, 16), grid((NX + 15) / 16, (NY + 15) / 16);
  for (int s = 0; s < sweeps; ++s) {
    sweep<<<grid, block>>>(a, b, NX, NY);
    std::swap(a, b);
  }
  cudaMemcpy(h.data(), a, bytes, cudaMemcpyDeviceToHost);
  printf("middle %.1f\n", h[NY / 2 * NX + NX / 2]);
  cudaFree(a);
  cudaFree(b);
}
