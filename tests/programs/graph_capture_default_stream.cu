// expects: exited 0
// expects: launches 0
// expects: prints 906, 901
#include <cstdio>

__global__ void heat(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { out[i] = i > 0 && i < n - 1 ? 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1] : in[i]; }
}

int main() {
  const int n = 1000;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  heat<<<8, 128, 0, stream>>>(a, b, n);
  heat<<<8, 128>>>(b, a, n);  // finds: broken-capture
  printf("%d, ", static_cast<int>(cudaGetLastError()));
  printf("%d\n", static_cast<int>(cudaStreamEndCapture(stream, &graph)));
  cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(b);
}
