// expects: exited 0
// expects: launches 3
// Three parts of one page-locked array come back in three streams, and the host waits for the first of them alone.
#include <cstdio>

constexpr int kParts = 3, kPart = 1500;

__global__ void doubled(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kPart) { out[i] = 2 * in[i]; }
}

int main() {
  float *host, *result, *in[kParts], *out[kParts];
  cudaMallocHost(&host, kParts * kPart * sizeof(float));
  cudaMallocHost(&result, kParts * kPart * sizeof(float));
  for (int i = 0; i < kParts * kPart; ++i) { host[i] = 0.5f * i; }
  cudaStream_t streams[kParts];
  for (int s = 0; s < kParts; ++s) {
    cudaStreamCreate(&streams[s]);
    cudaMalloc(&in[s], kPart * sizeof(float));
    cudaMalloc(&out[s], kPart * sizeof(float));
    cudaMemcpyAsync(in[s], host + s * kPart, kPart * sizeof(float), cudaMemcpyHostToDevice, streams[s]);
    doubled<<<(kPart + 255) / 256, 256, 0, streams[s]>>>(in[s], out[s]);
    cudaMemcpyAsync(result + s * kPart, out[s], kPart * sizeof(float), cudaMemcpyDeviceToHost, streams[s]);
  }
  cudaStreamSynchronize(streams[0]);
  int wrong = 0;
  for (int i = 0; i < kPart; ++i) { wrong += result[i] != 2 * host[i]; }
  for (int i = kPart; i < kParts * kPart; ++i) {
    wrong += result[i] != 2 * host[i];  // finds: missing-synchronization
  }
  printf("%d wrong\n", wrong);
  for (int s = 0; s < kParts; ++s) {
    cudaFree(in[s]);
    cudaFree(out[s]);
    cudaStreamDestroy(streams[s]);
  }
  cudaFreeHost(host);
  cudaFreeHost(result);
}
