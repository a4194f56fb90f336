// runs within: 3000000 instructions
// expects: exited 0
// expects: launches 20
// expects: prints heat 3.0
// expects: sizes N is 256 here instead of 8192 (line 13) and STEPS is 20 instead of 100 (line 14), because they take about
// expects: sizes the first launches of 1 kernel were checked, too.
#include <cstdio>
#include <cstdlib>

// 8192² points and 100 sweeps are more than the budget allows; the program's own macros make it smaller.

#define TILE 16
#define N 8192
#define STEPS 100

__global__ void sweep(const float *in, float *out) {
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x > 0 && x < N - 1 && y > 0 && y < N - 1)
    out[y * N + x] = 0.25f * (in[y * N + x - 1] + in[y * N + x + 1] + in[(y - 1) * N + x] + in[(y + 1) * N + x]);
}

int main() {
  const size_t bytes = (size_t)N * N * sizeof(float);
  float *h = (float *)malloc(bytes), *a, *b;
  for (size_t i = 0; i < (size_t)N * N; ++i) h[i] = 3.0f;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, bytes, cudaMemcpyHostToDevice);
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (N + TILE - 1) / TILE);
  for (int s = 0; s < STEPS; ++s) {
    sweep<<<grid, block>>>(a, b);
    float *t = a; a = b; b = t;
  }
  cudaMemcpy(h, a, bytes, cudaMemcpyDeviceToHost);
  printf("heat %.1f\n", h[(N / 2) * N + N / 2]);
  cudaFree(a);
  cudaFree(b);
  free(h);
  return 0;
}
