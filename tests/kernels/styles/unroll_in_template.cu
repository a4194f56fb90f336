// A radius that is a template argument, and loops unrolled by it.
template <typename T, int R>
__device__ __forceinline__ T weigh(const T* __restrict__ row, const T (&w)[2 * R + 1]) {
  T sum = T(0);
#pragma unroll
  for (int k = -R; k <= R; ++k) sum += w[k + R] * row[k];
  return sum;
}
template <typename T, int R, int PER>
__global__ void row_filter(const T* __restrict__ in, T* __restrict__ out, int n) {
  T w[2 * R + 1];
  #pragma unroll 2 * R + 1
  for (int k = 0; k < 2 * R + 1; ++k) w[k] = T(1) / T(2 * R + 1);
  #pragma unroll PER
  for (int p = 0; p < PER; ++p) {
    const int i = (blockIdx.x * PER + p) * blockDim.x + threadIdx.x;
    if (i < R || i >= n - R) continue;
    out[i] = weigh<T, R>(in + i, w);
  }
}
int main() {
  int n = 200;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  row_filter<float, 3, 2><<<4, 32>>>(a, b, n);
}
// expects: row_filter clean 194
