// expects: exited 0
// expects: launches 1
#include <cublas_v2.h>
#include <stdio.h>

// The product may begin before the kernel of the other stream has made its factor.

__global__ void diagonal(float *a, int n) {
  int x = threadIdx.x, y = blockIdx.x;
  a[y * n + x] = x == y ? 2 : 0;
}

int main() {
  const int n = 32;
  float *A, *B, *C, one = 1, zero = 0, host[n * n];
  cudaMalloc(&A, sizeof host);
  cudaMalloc(&B, sizeof host);
  cudaMalloc(&C, sizeof host);
  for (int i = 0; i < n * n; ++i) host[i] = i;
  cudaMemcpy(B, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t makes, multiplies;
  cudaStreamCreate(&makes);
  cudaStreamCreate(&multiplies);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetStream(handle, multiplies);
  diagonal<<<n, n, 0, makes>>>(A, n);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A, n, B, n, &zero, C, n);  // finds: unordered
  cudaDeviceSynchronize();
  cudaMemcpy(host, C, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[1]);
  cublasDestroy(handle);
  cudaStreamDestroy(makes), cudaStreamDestroy(multiplies);
  cudaFree(A), cudaFree(B), cudaFree(C);
}
