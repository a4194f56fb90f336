// expects: exited 0
// expects: launches 6
// expects: prints 0 wrong
// One page-locked buffer in two halves: the host fills one, and looks at what came back in it, while the other is still
// being copied.
#include <cstdio>

#define HALF 1024
#define PARTS 6

__global__ void twice(float* a) { a[blockIdx.x * blockDim.x + threadIdx.x] *= 2; }

int main() {
  const size_t bytes = HALF * sizeof(float);
  float *host, *device;
  cudaMallocHost(&host, 2 * bytes);
  cudaMalloc(&device, 2 * bytes);
  cudaStream_t s[2];
  for (auto& one : s) cudaStreamCreate(&one);
  int wrong = 0;
  for (int part = 0; part < PARTS + 2; ++part) {
    const int half = part % 2;
    float* mine = host + half * HALF;
    cudaStreamSynchronize(s[half]);
    if (part >= 2) {
      for (int i = 0; i < HALF; ++i) wrong += mine[i] != 2 * (part - 2 + i);
    }
    if (part >= PARTS) continue;
    for (int i = 0; i < HALF; ++i) mine[i] = part + i;
    cudaMemcpyAsync(device + half * HALF, mine, bytes, cudaMemcpyHostToDevice, s[half]);
    twice<<<HALF / 256, 256, 0, s[half]>>>(device + half * HALF);
    cudaMemcpyAsync(mine, device + half * HALF, bytes, cudaMemcpyDeviceToHost, s[half]);
  }
  printf("%d wrong\n", wrong);
  for (auto one : s) cudaStreamDestroy(one);
  cudaFree(device);
  cudaFreeHost(host);
}
