// expects: exited 0
// expects: launches 2
// expects: prints misaligned address 716
// expects: prints h[0] is -1
#include <cstdio>

// After a misaligned access every call fails, and copies nothing.

__global__ void move(float* a) {
  *(float4*)(a + 1) = make_float4(1, 2, 3, 4);  // finds: misaligned
}
__global__ void fill(float* a) { a[threadIdx.x] = 2; }

int main() {
  float h[32], *a;
  h[0] = -1;
  cudaMalloc(&a, sizeof h);
  cudaMemset(a, 0, sizeof h);
  move<<<1, 1>>>(a);
  fill<<<1, 32>>>(a);  // fails: Not launched
  cudaError_t error = cudaDeviceSynchronize();
  printf("%s %d\n", error == cudaErrorMisalignedAddress ? "misaligned address" : "other", (int)error);
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("h[0] is %g\n", h[0]);
  cudaFree(a);
}
