#ifndef KERNELS_CUH
#define KERNELS_CUH

namespace kernels {

template <typename T, int R>
__global__ void average(const T* in, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T sum = 0;
  for (int k = -R; k <= R; ++k) {
    const int at = i + k;
    sum += at < 0 || at >= n ? T(0) : in[at];
  }
  out[i] = sum / (2 * R + 1);
}

template <typename T, int R, int BLOCK>
__global__ void average_tiled(const T* in, T* out, int n) {
  __shared__ T tile[BLOCK + 2 * R];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  tile[threadIdx.x + R] = i < n ? in[i] : T(0);
  if (threadIdx.x < R) {
    tile[threadIdx.x] = i >= R ? in[i - R] : T(0);
    tile[threadIdx.x + BLOCK + R] = i + BLOCK < n ? in[i + BLOCK] : T(0);
  }
  __syncthreads();
  if (i >= n) return;
  T sum = 0;
  for (int k = 0; k <= 2 * R; ++k) sum += tile[threadIdx.x + k];
  out[i] = sum / (2 * R + 1);
}

}  // namespace kernels

#endif
