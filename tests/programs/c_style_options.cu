// runs: -n 1000
// expects: exited 0
// expects: launches 1
// expects: prints 1000 sums are right on 1 thread
// C style: options, OpenMP (on one thread), the profiler's calls, clocks, assert().
#include <assert.h>
#include <cuda_profiler_api.h>
#include <getopt.h>
#include <nvtx3/nvToolsExt.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define CHECK(call)                                                              \
  {                                                                              \
    const cudaError_t error = call;                                              \
    if (error != cudaSuccess) {                                                  \
      printf("Error: %s:%d, %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                   \
    }                                                                            \
  }

double cpuSecond() {
  struct timeval tp;
  gettimeofday(&tp, NULL);
  return (double)tp.tv_sec + (double)tp.tv_usec * 1e-6;
}

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  int n = 0, option;
  while ((option = getopt(argc, argv, "n:h")) != -1) {
    if (option == 'n') n = atoi(optarg);
  }
  srand((unsigned)time(NULL));
  size_t bytes = n * sizeof(float);
  float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    a[i] = rand() / (float)RAND_MAX;
    b[i] = (float)drand48();
  }
  const double begin = cpuSecond(), wall = omp_get_wtime();
  const clock_t ticks = clock();
  float *da, *db, *dc;
  CHECK(cudaMalloc(&da, bytes));
  CHECK(cudaMalloc(&db, bytes));
  CHECK(cudaMalloc(&dc, bytes));
  cudaProfilerStart();
  nvtxRangePushA("copies");
  CHECK(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice));
  nvtxRangePop();
  int grid, block;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0));
  add<<<(n + block - 1) / block, block>>>(da, db, dc, n);
  CHECK(cudaPeekAtLastError());
  CHECK(cudaDeviceSynchronize());
  cudaProfilerStop();
  CHECK(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) assert(fabsf(c[i] - (a[i] + b[i])) < 1e-6f);
  assert(cpuSecond() >= begin && omp_get_wtime() >= wall && clock() >= ticks);
  printf("%d sums are right on %d thread\n", n, omp_get_max_threads());
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  free(a);
  free(b);
  free(c);
  return 0;
}
