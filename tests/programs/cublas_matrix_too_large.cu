// expects: exited 0
// expects: launches 1
// expects: prints CUBLAS_STATUS_EXECUTION_FAILED
#include <cublas_v2.h>
#include <stdio.h>

// Leading dimensions are of columns: the last one ends behind the array.

__global__ void ones(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 1;
}

int main() {
  const int m = 8, k = 4;
  float *A, *x, *y, alpha = 1, beta = 0, host[m];
  cudaMalloc(&A, m * k * sizeof(float));
  cudaMalloc(&x, 16 * sizeof(float));
  cudaMalloc(&y, m * sizeof(float));
  ones<<<1, 64>>>(A, m * k);
  cudaMemset(x, 0, 16 * sizeof(float));
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasStatus_t status = cublasSgemv(handle, CUBLAS_OP_N, m, m, &alpha, A, m, x, 1, &beta, y, 1);  // finds: copy-size
  puts(cublasGetStatusString(status));
  cublasSgemv(handle, CUBLAS_OP_N, m, k, &alpha, A, m, x, 1, &beta, y, 1);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cublasDestroy(handle);
  cudaFree(A), cudaFree(x), cudaFree(y);
}
