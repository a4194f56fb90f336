// expects: exited 0
// expects: launches 4
// expects: prints ok
#include <cassert>
#include <cstdio>
#include <cstdlib>

#define IN_TILE_DIM 10
#define OUT_TILE_DIM 8
#define c0 0.4f
#define c1 0.1f

// Register tiling along z, as in section 8.5.
__global__ void stencil_kernel(float* in, float* out, unsigned int N) {  // matches: sweep
  int iStart = blockIdx.z * OUT_TILE_DIM;
  int j = blockIdx.y * OUT_TILE_DIM + threadIdx.y - 1;
  int k = blockIdx.x * OUT_TILE_DIM + threadIdx.x - 1;
  float inPrev;
  __shared__ float inCurr_s[IN_TILE_DIM][IN_TILE_DIM];
  float inCurr;
  float inNext;
  if (iStart - 1 >= 0 && iStart - 1 < (int)N && j >= 0 && j < (int)N && k >= 0 && k < (int)N)
    inPrev = in[(iStart - 1) * N * N + j * N + k];
  if (iStart >= 0 && iStart < (int)N && j >= 0 && j < (int)N && k >= 0 && k < (int)N) {
    inCurr = in[iStart * N * N + j * N + k];
    inCurr_s[threadIdx.y][threadIdx.x] = inCurr;
  }
  for (int i = iStart; i < iStart + OUT_TILE_DIM; ++i) {
    if (i + 1 >= 0 && i + 1 < (int)N && j >= 0 && j < (int)N && k >= 0 && k < (int)N)
      inNext = in[(i + 1) * N * N + j * N + k];
    __syncthreads();
    if (i >= 1 && i < (int)N - 1 && j >= 1 && j < (int)N - 1 && k >= 1 && k < (int)N - 1) {
      if (threadIdx.y >= 1 && threadIdx.y < IN_TILE_DIM - 1 && threadIdx.x >= 1 && threadIdx.x < IN_TILE_DIM - 1) {
        out[i * N * N + j * N + k] = c0 * inCurr + c1 * (inCurr_s[threadIdx.y][threadIdx.x - 1] +
            inCurr_s[threadIdx.y][threadIdx.x + 1] + inCurr_s[threadIdx.y + 1][threadIdx.x] +
            inCurr_s[threadIdx.y - 1][threadIdx.x] + inPrev + inNext);
      }
    }
    __syncthreads();
    inPrev = inCurr;
    inCurr = inNext;
    inCurr_s[threadIdx.y][threadIdx.x] = inNext;
  }
}

void sweep(const float* in, float* out, int N) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      for (int k = 1; k < N - 1; k++) {
        int at = (i * N + j) * N + k;
        out[at] = c0 * in[at] + c1 * (in[at - 1] + in[at + 1] + in[at + N] + in[at - N] + in[at - N * N] + in[at + N * N]);
      }
}

int main() {
  const unsigned int N = 20;
  const unsigned int size = N * N * N;
  float* a = new float[size];
  float* b = new float[size];
  float* got = new float[size];
  for (unsigned int i = 0; i < size; i++) a[i] = b[i] = (float)(rand() % 100);
  float *d_a, *d_b;
  cudaMalloc(&d_a, size * sizeof(float));
  cudaMalloc(&d_b, size * sizeof(float));
  cudaMemcpy(d_a, a, size * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, d_a, size * sizeof(float), cudaMemcpyDeviceToDevice);
  dim3 block(IN_TILE_DIM, IN_TILE_DIM, 1);
  unsigned int blocks = (N + OUT_TILE_DIM - 1) / OUT_TILE_DIM;
  dim3 grid(blocks, blocks, blocks);
  for (int t = 0; t < 4; t += 2) {
    stencil_kernel<<<grid, block>>>(d_a, d_b, N);
    stencil_kernel<<<grid, block>>>(d_b, d_a, N);
    sweep(a, b, N);
    sweep(b, a, N);
  }
  cudaDeviceSynchronize();
  cudaMemcpy(got, d_a, size * sizeof(float), cudaMemcpyDeviceToHost);
  for (unsigned int i = 0; i < size; i++) assert(got[i] - a[i] < 1e-3f && a[i] - got[i] < 1e-3f);
  printf("ok\n");
  cudaFree(d_a);
  cudaFree(d_b);
  delete[] a;
  delete[] b;
  delete[] got;
  return 0;
}
