// expects: tiled clean 999
// launch: tiled 8,1,1 128,1,1 528
// sizes: tiled n=1000
#include <cuda_runtime.h>

#define R 2

template <typename T>
__global__ void tiled(const T* __restrict__ in, T* __restrict__ out, int n) {
  extern __shared__ unsigned char bytes[];
  T* tile = reinterpret_cast<T*>(bytes);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x + R] = i < n ? in[i] : T(0);
  if (threadIdx.x < R) {
    tile[threadIdx.x] = i >= R ? in[i - R] : T(0);
    int right = i + blockDim.x;
    tile[threadIdx.x + blockDim.x + R] = right < n ? in[right] : T(0);
  }
  __syncthreads();
  if (i < n) {
    T sum = 0;
    for (int k = 0; k <= 2 * R; ++k) sum += tile[threadIdx.x + k];
    out[i] = sum;
  }
}

int main() {
  using real = float;
  const int n = 1000;
  const int threads = 128;
  const size_t shared = (threads + 2 * R) * sizeof(real);
  cudaStream_t streams[2];
  real *in[2], *out[2];
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreate(&streams[s]);
    cudaMalloc(&in[s], n * sizeof(real));
    cudaMalloc(&out[s], n * sizeof(real));
  }
  for (int s = 0; s < 2; ++s) {
    tiled<real><<<(n + threads - 1) / threads, threads, shared, streams[s]>>>(in[s], out[s], n);
  }
  cudaDeviceSynchronize();
}
