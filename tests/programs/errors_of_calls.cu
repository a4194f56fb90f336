// expects: exited 0
// expects: launches 7
// expects: prints bounds 1 threads 1 z 1 grid 1 none 1 shared 1 together 720
// expects: prints host 1 twice 1 middle 1 direction 1 null 1 pitch 12
// expects: prints huge 2 elapsed 400 device 101
// expects: prints left 0
// The numbers are those of CUDA 13 on an H200 (driver 580.159).
#include <cstdio>
#include <cstdlib>

__global__ void __launch_bounds__(256) bounded(float* p) { p[threadIdx.x] = 1; }
__global__ void plain(float* p) { p[threadIdx.x] = 1; }
extern __shared__ float dynamic[];
__global__ void usesShared(float* p) { p[0] = dynamic[0]; }

int last() { return cudaGetLastError(); }

int main() {
  float *p, *q, h[16];
  cudaMalloc(&p, 4096);
  bounded<<<1, 512>>>(p);  // finds: launch-limit // fails: allow 256
  printf("bounds %d", last());
  plain<<<1, 2048>>>(p);  // finds: launch-limit // fails: 1024
  printf(" threads %d", last());
  plain<<<1, dim3(1, 1, 65)>>>(p);  // finds: launch-limit // fails: 64
  printf(" z %d", last());
  plain<<<dim3(1, 65536), 1>>>(p);  // finds: launch-limit // fails: 65535
  printf(" grid %d", last());
  plain<<<0, 32>>>(p);  // finds: launch-limit // fails: no blocks
  printf(" none %d", last());
  usesShared<<<1, 32, 300000>>>(p);  // finds: launch-limit // fails: 300000
  printf(" shared %d", last());
  void* arguments[] = {&p};
  printf(" together %d\n", (int)cudaLaunchCooperativeKernel((void*)plain, dim3(100000), dim3(256), arguments, 0, 0));  // finds: launch-limit // fails: 100000
  last();

  cudaFree(h);  // finds: invalid-free
  printf("host %d", last());
  cudaMalloc(&q, 4);
  cudaFree(q);
  cudaFree(q);  // finds: freed-twice
  printf(" twice %d", last());
  cudaFree(p + 1);  // finds: invalid-free
  printf(" middle %d", last());
  cudaMemcpy(p, h, 4, cudaMemcpyDeviceToHost);  // finds: copy-direction
  printf(" direction %d", last());
  cudaMemset(nullptr, 0, 4);  // finds: copy-size
  printf(" null %d", last());
  cudaMemcpy2D(p, 4, h, 8, 8, 2, cudaMemcpyHostToDevice);
  printf(" pitch %d\n", last());

  cudaMalloc(&q, 1ull << 50);
  printf("huge %d", last());
  cudaEvent_t from, to;
  cudaEventCreate(&from);
  cudaEventCreate(&to);
  float milliseconds;
  cudaEventElapsedTime(&milliseconds, from, to);
  printf(" elapsed %d", last());
  cudaSetDevice(99);
  printf(" device %d\n", last());
  cudaFree(p);
  printf("left %d\n", last());
}
