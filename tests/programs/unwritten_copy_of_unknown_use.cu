// expects: exited 0
// expects: launches 1
// Nothing is printed: whether the border that is never written matters is not known.
#include <vector>

__global__ void inside(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i + 1];
}

int main() {
  const int n = 256;
  std::vector<float> h(n, 1.0f);
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  inside<<<2, 128>>>(a, b, n);
  cudaMemcpy(h.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);  // finds: unwritten-copy
  cudaFree(a);
  cudaFree(b);
}
