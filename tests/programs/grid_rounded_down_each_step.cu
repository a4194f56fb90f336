// expects: exited 0
// expects: launches 4
// expects: explains The launch at line 29 has 6 blocks of 16 threads; 7 blocks reach them all
// The grid is rounded down, and every launch passes the number of its time step: that does not make the launches share
// the array among them.
#include <cstdio>
#include <utility>
#include <vector>

__global__ void diffuse(const float* in, float* out, int n, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0 || i == n - 1) {
    out[i] = in[i] + 0.5f * (step % 2);  // finds: unwritten-output
    return;
  }
  out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

int main() {
  const int n = 110;
  std::vector<float> f(n, 1.0f), r(n);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, f.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, f.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int step = 0; step < 4; ++step) {
    diffuse<<<n / 16, 16>>>(a, b, n, step);
    std::swap(a, b);
  }
  cudaMemcpy(r.data(), a, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", r[50]);
  cudaFree(a);
  cudaFree(b);
}
