// expects: exited 0
// expects: launches 1
// expects: prints sum 4950, largest 99, smallest 0, squares 328350
// expects: prints scan 0 0 1 3, with 0 1 3 6
// expects: prints sorted 0 1 2 with 99 98 97
// expects: prints 50 even, the last 98
// expects: prints bins 50 50
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cstdio>

struct SumOfSquares {
  __device__ __forceinline__ int operator()(int a, int b) const { return a + b * b; }
};
struct IsEven {
  __host__ __device__ bool operator()(int a) const { return a % 2 == 0; }
};

__global__ void count(int *a, int *down, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i, down[i] = n - 1 - i;
}

int main() {
  const int n = 100;
  int *a, *down, *out, *keys, results[100];
  for (int **p : {&a, &down, &out, &keys}) cudaMalloc(p, n * sizeof(int));
  count<<<1, 128>>>(a, down, n);
  void *temp = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(temp, bytes, a, out, n);
  cudaMalloc(&temp, bytes);
  cub::DeviceReduce::Sum(temp, bytes, a, out, n);
  cub::DeviceReduce::Max(temp, bytes, a, out + 1, n);
  cub::DeviceReduce::Min(temp, bytes, a, out + 2, n);
  cub::DeviceReduce::Reduce(temp, bytes, a, out + 3, n, SumOfSquares(), 0);
  cudaMemcpy(results, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d, largest %d, smallest %d, squares %d\n", results[0], results[1], results[2], results[3]);
  cub::DeviceScan::ExclusiveSum(temp, bytes, a, out, n);
  cudaMemcpy(results, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("scan %d %d %d %d, with", results[0], results[1], results[2], results[3]);
  cub::DeviceScan::InclusiveSum(temp, bytes, a, out, n);
  cudaMemcpy(results, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf(" %d %d %d %d\n", results[0], results[1], results[2], results[3]);
  int *values;
  cudaMalloc(&values, n * sizeof(int));
  cub::DeviceRadixSort::SortPairs(temp, bytes, down, keys, a, values, n);
  cudaMemcpy(results, keys, 3 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(results + 3, values, 3 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("sorted %d %d %d with %d %d %d\n", results[0], results[1], results[2], results[3], results[4], results[5]);
  cub::DeviceSelect::If(temp, bytes, a, out, keys, n, IsEven());
  cudaMemcpy(results, keys, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(results + 1, out, 50 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d even, the last %d\n", results[0], results[50]);
  cub::DeviceHistogram::HistogramEven(temp, bytes, a, out, 3, 0, 100, n);
  cudaMemcpy(results, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("bins %d %d\n", results[0], results[1]);
  for (int *p : {a, down, out, keys, values}) cudaFree(p);
  cudaFree(temp);
}
