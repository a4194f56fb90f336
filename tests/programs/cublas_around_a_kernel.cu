// expects: exited 0
// expects: launches 2
// expects: prints version 12
// expects: prints C 22 49 28 64
// expects: prints C' 7 10 15 22
// expects: prints dot 32, norm 3.742, sum 6, largest 3, smallest 1
// expects: prints y 6 9 12, rank one 4 8 12, strided 11 10
// expects: prints batched 10 20 30, transposed 1 3 5 2 4 6
// expects: prints an invalid value
#include <cublas_v2.h>
#include <cstdio>
#include <vector>

#define CHECK(call) \
  if (cublasStatus_t status = (call); status != CUBLAS_STATUS_SUCCESS) \
    return fprintf(stderr, "%s at line %d\n", cublasGetStatusString(status), __LINE__), 1

// cuBLAS works on the device's memory in the order of its stream, with the program's own kernels around it.

__global__ void fill(float *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i + 1;
}

template <class T> std::vector<T> fetch(const T *d, int n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}

int main() {
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  int version;
  cublasGetVersion(handle, &version);
  printf("version %d\n", version / 10000);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CHECK(cublasSetStream(handle, stream));
  float *A, *B, *C;
  cudaMalloc(&A, 6 * sizeof(float)), cudaMalloc(&B, 6 * sizeof(float)), cudaMalloc(&C, 9 * sizeof(float));
  fill<<<1, 32, 0, stream>>>(A, 6);
  const float b[] = {1, 2, 3, 4, 5, 6};
  CHECK(cublasSetMatrix(3, 2, sizeof(float), b, 3, B, 3));
  const float one = 1, zero = 0, two = 2;
  // 2 × 3 times 3 × 2, by columns
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, A, 2, B, 3, &zero, C, 2));
  cudaStreamSynchronize(stream);
  std::vector<float> c = fetch(C, 4);
  printf("C %g %g %g %g\n", c[0], c[2], c[1], c[3]);
  // The other way, transposed, with what is there.
  CHECK(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 2, &one, A, 2, B, 2, &zero, C, 2));
  cudaStreamSynchronize(stream);
  c = fetch(C, 4);
  printf("C' %g %g %g %g\n", c[0], c[2], c[1], c[3]);

  double x[] = {1, 2, 3}, y[] = {4, 5, 6}, *X, *Y, *M, alpha = 2, dot, norm, sum;
  cudaMalloc(&X, sizeof x), cudaMalloc(&Y, sizeof y), cudaMalloc(&M, 6 * sizeof(double));
  CHECK(cublasSetVector(3, sizeof(double), x, 1, X, 1));
  CHECK(cublasSetVector(3, sizeof(double), y, 1, Y, 1));
  int largest, smallest;
  CHECK(cublasDdot(handle, 3, X, 1, Y, 1, &dot));
  CHECK(cublasDnrm2(handle, 3, X, 1, &norm));
  CHECK(cublasDasum(handle, 3, X, 1, &sum));
  CHECK(cublasIdamax(handle, 3, X, 1, &largest));
  CHECK(cublasIdamin(handle, 3, X, 1, &smallest));
  printf("dot %g, norm %.3f, sum %g, largest %d, smallest %d\n", dot, norm, sum, largest, smallest);
  CHECK(cublasDaxpy(handle, 3, &alpha, X, 1, Y, 1));
  CHECK(cublasGetVector(3, sizeof(double), Y, 1, y, 1));
  cudaMemsetAsync(M, 0, 6 * sizeof(double), stream);
  alpha = 1;
  CHECK(cublasDger(handle, 3, 1, &alpha, X, 1, X, 1, M, 3));
  CHECK(cublasDscal(handle, 3, &(alpha = 4), M, 1));
  cudaStreamSynchronize(stream);
  std::vector<double> m = fetch(M, 3);
  alpha = 1;
  CHECK(cublasDswap(handle, 2, X, 1, X + 1, 1) == CUBLAS_STATUS_SUCCESS ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(cublasSetVector(3, sizeof(double), x, 1, X, 1));
  CHECK(cublasDaxpy(handle, 2, &alpha, X, 2, Y, -2));
  cudaStreamSynchronize(stream);
  std::vector<double> strided = fetch(Y, 3);
  printf("y %g %g %g, rank one %g %g %g, strided %g %g\n", y[0], y[1], y[2], m[0], m[1], m[2], strided[0] + 2, strided[2] - 3);

  fill<<<1, 32, 0, stream>>>(A, 6);
  CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &two, A, 1, 1, A, 1, 0, &zero, C, 1, 1, 3));
  float *T;
  cudaMalloc(&T, 6 * sizeof(float));
  CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 3, 2, &one, A, 2, &zero, T, 3, T, 3));
  cudaStreamSynchronize(stream);
  c = fetch(C, 3);
  const std::vector<float> t = fetch(T, 6);
  printf("batched %g %g %g, transposed %g %g %g %g %g %g\n", 5 * c[0], 5 * c[1], 5 * c[2], t[0], t[1], t[2], t[3], t[4], t[5]);
  if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, A, 1, B, 3, &zero, C, 2) == CUBLAS_STATUS_INVALID_VALUE) puts("an invalid value");
  for (void *p : {(void *)A, (void *)B, (void *)C, (void *)X, (void *)Y, (void *)M, (void *)T}) cudaFree(p);
  cudaStreamDestroy(stream);
  CHECK(cublasDestroy(handle));
}
