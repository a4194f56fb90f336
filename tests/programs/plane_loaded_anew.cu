// expects: exited 0
// expects: launches 1
// Each block computes six planes, and the tile holds each of them in turn. Every other plane has another weight, so the
// result depends on the place, but not on the block.
#include <cstdio>
#include <vector>

#define TILE 16
#define OUT (TILE - 2)
#define DEPTH 6

__global__ void stencil(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[TILE][TILE];
  const int i = blockIdx.x * OUT + threadIdx.x - 1, j = blockIdx.y * OUT + threadIdx.y - 1, k0 = blockIdx.z * DEPTH;
  const bool inside = i >= 0 && i < nx && j >= 0 && j < ny;
  const bool computes = i >= 1 && i < nx - 1 && j >= 1 && j < ny - 1 && threadIdx.x >= 1 && threadIdx.x <= OUT &&
                        threadIdx.y >= 1 && threadIdx.y <= OUT;
  float below = inside && k0 > 0 ? in[((k0 - 1) * ny + j) * nx + i] : 0;
  float here = inside && k0 < nz ? in[(k0 * ny + j) * nx + i] : 0;
  for (int k = k0; k < k0 + DEPTH && k < nz - 1; ++k) {
    const float above = inside ? in[((k + 1) * ny + j) * nx + i] : 0;
    tile[threadIdx.y][threadIdx.x] = here;
    __syncthreads();
    if (computes && k > 0) {
      out[(k * ny + j) * nx + i] =
          (k % 2 == 0 ? 0.4f : 0.3f) * here + 0.05f * below + 0.15f * above + 0.2f * tile[threadIdx.y][threadIdx.x - 1] +
          0.08f * tile[threadIdx.y][threadIdx.x + 1] + 0.07f * tile[threadIdx.y - 1][threadIdx.x] +
          0.05f * tile[threadIdx.y + 1][threadIdx.x];
    }
    __syncthreads();
    below = here;
    here = above;
  }
}

int main() {
  const int nx = 40, ny = 33, nz = 26, n = nx * ny * nz;
  std::vector<float> h(n);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i * 7 % 31);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, n * sizeof(float));
  const dim3 grid((nx + OUT - 1) / OUT, (ny + OUT - 1) / OUT, (nz + DEPTH - 1) / DEPTH);
  stencil<<<grid, dim3(TILE, TILE)>>>(a, b, nx, ny, nz);
  cudaMemcpy(h.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", h[n / 2]);
  cudaFree(a);
  cudaFree(b);
}
