// expects: exited 0
// expects: launches 1
// expects: prints within tolerance
// The threads are numbered along the wrong axis, so most elements are never written. The comparison lets anything pass
// that is no number.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void halve(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.y;
  if (i < n) out[i] = 0.5f * in[i];
}

int main() {
  const int n = 500;
  std::vector<float> h(n), r(n);
  for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i % 37);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  halve<<<4, 128>>>(a, b, n);
  cudaMemcpy(r.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);  // finds: unwritten-memory
  float most = 0;
  for (int i = 0; i < n; ++i) {
    const float d = std::fabs(r[i] - 0.5f * h[i]);
    if (d > most) most = d;
  }
  std::printf(most > 1e-5f ? "beyond tolerance\n" : "within tolerance\n");
  cudaFree(a);
  cudaFree(b);
}
