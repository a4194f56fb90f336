// expects: exited 0
// expects: launches 2
// expects: prints sum 4950, largest 99, limit 1
// expects: prints histogram 25 25 25 25
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/span>
#include <cstdio>

struct Totals {
  cuda::std::array<float, 2> values;
};

__global__ void total(cuda::std::span<const float> in, Totals *out, int *limit) {
  if (threadIdx.x > 0) return;
  cuda::std::array<float, 2> both = {0.0f, cuda::std::numeric_limits<float>::lowest()};
  for (size_t i = 0; i < in.size(); ++i) {
    both[0] += in[i];
    both[1] = cuda::std::max(both[1], in[i]);
  }
  out->values = both;
  *limit = cuda::std::numeric_limits<int>::max() == INT_MAX;
}

__global__ void count(const float *in, unsigned int *bins, cuda::atomic<int, cuda::thread_scope_device> *done, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cuda::atomic_ref<unsigned int, cuda::thread_scope_device> bin(bins[(int)in[i] / 25]);
  bin.fetch_add(1u, cuda::memory_order_relaxed);
  done->fetch_add(1);
}

int main() {
  const int n = 100;
  float host[n], *in;
  unsigned int *bins, counted[4];
  Totals *totals, result;
  int *limit, isLimit;
  cuda::atomic<int, cuda::thread_scope_device> *done;
  cudaMalloc(&in, sizeof host), cudaMalloc(&bins, sizeof counted), cudaMalloc(&totals, sizeof *totals);
  cudaMalloc(&done, sizeof *done), cudaMalloc(&limit, sizeof(int));
  cudaMemset(bins, 0, sizeof counted), cudaMemset(done, 0, sizeof *done);
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  total<<<1, 32>>>(cuda::std::span<const float>(in, n), totals, limit);
  count<<<2, 64>>>(in, bins, done, n);
  cudaMemcpy(&result, totals, sizeof result, cudaMemcpyDeviceToHost);
  cudaMemcpy(&isLimit, limit, sizeof isLimit, cudaMemcpyDeviceToHost);
  cudaMemcpy(counted, bins, sizeof counted, cudaMemcpyDeviceToHost);
  printf("sum %g, largest %g, limit %d\n", result.values[0], result.values[1], isLimit);
  printf("histogram %u %u %u %u\n", counted[0], counted[1], counted[2], counted[3]);
  cudaFree(in), cudaFree(bins), cudaFree(totals), cudaFree(done), cudaFree(limit);
}
