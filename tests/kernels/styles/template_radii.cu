// expects: star<1> clean 998
// expects: star<2> clean 996
// expects: star<4> clean 992
// launch: star<1> 8,1,1 128,1,1 0
// launch: star<2> 16,1,1 64,1,1 0
// launch: star<4> 4,1,1 256,1,1 0
// sizes: star<4> n=1000
#include <cstdio>

template <int RADIUS>
__global__ void star(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < RADIUS || i >= n - RADIUS) return;
  float sum = in[i];
  for (int r = 1; r <= RADIUS; ++r) sum += (in[i - r] + in[i + r]) / (1 << r);
  out[i] = sum;
}

template <int RADIUS, int THREADS>
void run(const float* in, float* out, int n) {
  star<RADIUS><<<(n + THREADS - 1) / THREADS, THREADS>>>(in, out, n);
  cudaDeviceSynchronize();
}

int main() {
  const int n = 1000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  run<1, 128>(in, out, n);
  run<2, 64>(in, out, n);
  run<4, 256>(in, out, n);
}
