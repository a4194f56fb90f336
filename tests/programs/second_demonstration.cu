// expects: exited 0
// expects: launches 2
// expects: prints 1D ok
// expects: prints 2D ok
// Two demonstrations that use the same names with other sizes and another type.
#include <cstdio>
#include <cstdlib>

__global__ void average(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}

__global__ void average2d(const double* in, double* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
    out[y * n + x] = (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]) / 4;
}

void demo1() {
  int n = 300;
  float *in, *out, *h = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h[i] = 3 * i;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, h, n * sizeof(float), cudaMemcpyHostToDevice);
  average<<<3, 128>>>(in, out, n);
  cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("1D %s\n", h[100] == 300 ? "ok" : "wrong");
  cudaFree(in);
  cudaFree(out);
  free(h);
}

void demo2() {
  int n = 35;
  double *in, *out, *h = (double*)malloc(n * n * sizeof(double));
  for (int i = 0; i < n * n; i++) h[i] = 4.0 * i;
  cudaMalloc(&in, n * n * sizeof(double));
  cudaMalloc(&out, n * n * sizeof(double));
  cudaMemcpy(in, h, n * n * sizeof(double), cudaMemcpyHostToDevice);
  average2d<<<dim3(3, 3), dim3(16, 16)>>>(in, out, n);
  cudaMemcpy(h, out, n * n * sizeof(double), cudaMemcpyDeviceToHost);
  printf("2D %s\n", h[36] == 4.0 * 36 ? "ok" : "wrong");
  cudaFree(in);
  cudaFree(out);
  free(h);
}

int main() {
  demo1();
  demo2();
  return 0;
}
