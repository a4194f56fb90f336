// expects: exited 0
// expects: launches 1
// expects: prints J0(1) = 0.765198, B(2, 3) = 0.083333
#include <cmath>
#include <cstdio>

__global__ void twice(float* a) { a[threadIdx.x] *= 2; }

int main() {
  float h[32], *a;
  for (int i = 0; i < 32; ++i) h[i] = (float)std::cyl_bessel_j(0, i / 32.0);
  cudaMalloc(&a, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(a);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(a);
  printf("J0(1) = %.6f, B(2, 3) = %.6f\n", std::cyl_bessel_j(0, 1.0), std::beta(2.0, 3.0));
  return h[0] == 2 ? 0 : 1;
}
