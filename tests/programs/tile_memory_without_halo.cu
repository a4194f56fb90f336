// expects: exited 0
// expects: launches 1
// The tile has a halo; the third argument of the launch does not count it.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

template <typename T, int RADIUS>
__global__ void smooth(const T* in, T* out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* tile = reinterpret_cast<T*>(raw);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int at = threadIdx.x; at < blockDim.x + 2 * RADIUS; at += blockDim.x) {
    const int from = int(blockIdx.x * blockDim.x) + at - RADIUS;
    tile[at] = from >= 0 && from < n ? in[from] : T(0);  // finds: out-of-bounds
  }
  __syncthreads();
  if (i >= n) return;
  T sum = T(0);
  for (int k = 0; k <= 2 * RADIUS; ++k) sum += tile[threadIdx.x + k];  // finds: out-of-bounds
  out[i] = sum / T(2 * RADIUS + 1);
}

int main() {
  const int n = 600, block = 128;
  std::vector<double> values(n, 1.5);
  double *in, *out;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(in, values.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  smooth<double, 3><<<(n + block - 1) / block, block, block * sizeof(double)>>>(in, out, n);
  cudaMemcpy(values.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("%g\n", values[10]);
  cudaFree(in);
  cudaFree(out);
}
