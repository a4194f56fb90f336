// expects: exited 0
// expects: launches 3
// expects: prints 1 1 nan
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>

// What nvcc accepts: the word register, nan(), clocks, special registers, functions of halves and of the occupancy.

__constant__ float factor = 2;

template <typename T>
__constant__ T weights[3];

template <typename T>
__global__ void fir(const T *in, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = weights<T>[0] * in[i - 1] + weights<T>[1] * in[i] + weights<T>[2] * in[i + 1];
}

__global__ void words(float *out, long long *times, unsigned *lanes) {
  register int i = threadIdx.x + blockIdx.x * blockDim.x;
  const long long begin = clock64();
  unsigned lane, warp, less, x, size, block;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(less));
  asm("{ mov.u32 %0, %%tid.x; mov.u32 %1, %%ntid.x; mov.u32 %2, %%ctaid.x; }" : "=r"(x), "=r"(size), "=r"(block));
  lanes[i] = x + size * block == i && warp == threadIdx.x / 32 && lane == threadIdx.x % 32 && less == (1u << lane) - 1;
  const __half2 pair = __float22half2_rn(make_float2(i, 1));
  const float2 both = __half22float2(__hfma2(pair, h2sqrt(pair), __float2half2_rn(1)));
  out[i] = i == 63 ? (float)nan("") : i == 62 ? nanf("") : both.y + factor;
  while (clock64() - begin < 5000) {}
  times[i] = clock64() - begin;
}

template <typename T>
void run(int n) {
  T h[100] = {}, w[3] = {T(0.25), T(0.5), T(0.25)}, *a, *b;
  cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights<T>, w, sizeof w);
  fir<<<1, 128>>>(a, b, n);
  cudaMemcpy(h, b, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(a), cudaFree(b);
}

int main() {
  run<float>(100);
  run<double>(50);
  float *out, h[64];
  long long *times, t[64];
  unsigned *lanes, l[64];
  cudaMalloc(&out, sizeof h), cudaMalloc(&times, sizeof t), cudaMalloc(&lanes, sizeof l);
  words<<<2, 32>>>(out, times, lanes);
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(t, times, sizeof t, cudaMemcpyDeviceToHost);
  cudaMemcpy(l, lanes, sizeof l, cudaMemcpyDeviceToHost);
  int right = 1, grid, block, most;
  for (register int i = 0; i < 64; ++i) right &= l[i] && t[i] >= 5000 && (i > 61 || h[i] == 4);
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, words, [](int threads) { return threads * sizeof(float); });
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&most, words, block, 0, 0);
  printf("%d %d %f\n", right, grid > 0 && block > 0 && most > 0, h[63]);
  cudaFree(out), cudaFree(times), cudaFree(lanes);
}
