// expects: exited 0
// expects: launches 1
// expects: explains only points within 2 of the edges of blocks are wrong: they take 0 for the points of neighbouring blocks, as if the halo of the tile were not loaded
// The tile is cleared, and then only its inner part is loaded.
#include <cstdio>
#include <vector>

constexpr int R = 2, TILE = 16;
__constant__ float gauss[(2 * R + 1) * (2 * R + 1)];

__global__ void blur(const float* in, float* out, int w, int h) {
  __shared__ float tile[TILE + 2 * R][TILE + 2 * R];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  for (int j = ty; j < TILE + 2 * R; j += TILE)
    for (int i = tx; i < TILE + 2 * R; i += TILE) tile[j][i] = 0;
  __syncthreads();
  if (x < w && y < h) tile[ty + R][tx + R] = in[y * w + x];
  __syncthreads();
  if (x >= w || y >= h) return;
  float s = 0;
  for (int j = -R; j <= R; ++j)
    for (int i = -R; i <= R; ++i) s += gauss[(j + R) * (2 * R + 1) + i + R] * tile[ty + R + j][tx + R + i];
  out[y * w + x] = s;  // finds: wrong-result
}

int main() {
  const int w = 100, h = 60;
  std::vector<float> image(w * h), blurred(w * h);
  for (int i = 0; i < w * h; ++i) image[i] = 0.01f * (i * 37 % 256);
  const float row[5] = {1, 4, 6, 4, 1};
  float weights[25];
  for (int i = 0; i < 25; ++i) weights[i] = row[i / 5] * row[i % 5] / 256;
  cudaMemcpyToSymbol(gauss, weights, sizeof(weights));
  float *in, *out;
  cudaMalloc(&in, image.size() * sizeof(float));
  cudaMalloc(&out, image.size() * sizeof(float));
  cudaMemcpy(in, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice);
  blur<<<dim3((w + TILE - 1) / TILE, (h + TILE - 1) / TILE), dim3(TILE, TILE)>>>(in, out, w, h);
  cudaMemcpy(blurred.data(), out, blurred.size() * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f -> %f\n", image[3050], blurred[3050]);
  cudaFree(in);
  cudaFree(out);
}
