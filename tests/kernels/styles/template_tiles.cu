#include <cstdio>
template <typename T, int TILE, int R>
__global__ void blur(const T* in, T* out, int n) {
  __shared__ T tile[TILE + 2 * R];
  int g = blockIdx.x * TILE + threadIdx.x;
  tile[threadIdx.x + R] = g < n ? in[g] : T(0);
  if (threadIdx.x < R) {
    tile[threadIdx.x] = g >= R ? in[g - R] : T(0);
    tile[threadIdx.x + TILE + R] = g + TILE < n ? in[g + TILE] : T(0);
  }
  __syncthreads();
  if (g < n) {
    T sum = 0;
    for (int o = -R; o <= R; ++o) sum += tile[threadIdx.x + R + o];
    out[g] = sum / T(2 * R + 1);
  }
}
int main() {
  int n = 5000;
  float *a, *b;
  cudaMalloc((void**)&a, n * sizeof(float));
  cudaMalloc((void**)&b, n * sizeof(float));
  constexpr int T = 64;
  blur<float, 64, 3><<<(n + T - 1) / T, T>>>(a, b, n);
  return 0;
}
// expects: blur clean 4900
