// expects: exited 0
// expects: launches 4
// expects: prints PASS
// The copy of a chunk leaves out the neighbours behind it: they were never written. Its own comparison passes all the
// same: no comparison with what is not a number is true.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4096
#define CHUNK 1024
#define R 3
#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t e = (call);                                                \
    if (e != cudaSuccess) {                                                \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

__constant__ float taps[2 * R + 1];

// in begins R elements before the chunk.
__global__ void fir(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k <= 2 * R; k++) s += taps[k] * in[i + k];  // finds: uninitialized
  out[i] = s;
}

int main(void) {
  float h_taps[2 * R + 1] = {0.05f, 0.1f, 0.2f, 0.3f, 0.2f, 0.1f, 0.05f};
  float *padded, *result;
  CHECK(cudaMallocHost(&padded, (N + 2 * R) * sizeof(float)));
  CHECK(cudaMallocHost(&result, N * sizeof(float)));
  for (int i = 0; i < N + 2 * R; i++) padded[i] = i < R || i >= N + R ? 0.0f : sinf(0.01f * i) + (i % 5);
  CHECK(cudaMemcpyToSymbol(taps, h_taps, sizeof h_taps));
  cudaStream_t streams[2];
  float *d_in[2], *d_out[2];
  for (int s = 0; s < 2; s++) {
    CHECK(cudaStreamCreate(&streams[s]));
    CHECK(cudaMalloc(&d_in[s], (CHUNK + 2 * R) * sizeof(float)));
    CHECK(cudaMalloc(&d_out[s], CHUNK * sizeof(float)));
  }
  for (int c = 0; c < N / CHUNK; c++) {
    int s = c % 2;
    CHECK(cudaMemcpyAsync(d_in[s], padded + c * CHUNK, CHUNK * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
    fir<<<CHUNK / 256, 256, 0, streams[s]>>>(d_in[s], d_out[s], CHUNK);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(result + c * CHUNK, d_out[s], CHUNK * sizeof(float), cudaMemcpyDeviceToHost, streams[s]));
  }
  CHECK(cudaDeviceSynchronize());
  int bad = 0;
  for (int i = 0; i < N; i++) {
    float s = 0.0f;
    for (int k = 0; k <= 2 * R; k++) s += h_taps[k] * padded[i + k];
    bad += fabsf(s - result[i]) > 1e-4f;
  }
  printf("%s\n", bad ? "FAIL" : "PASS");
  for (int s = 0; s < 2; s++) {
    CHECK(cudaStreamDestroy(streams[s]));
    CHECK(cudaFree(d_in[s]));
    CHECK(cudaFree(d_out[s]));
  }
  CHECK(cudaFreeHost(padded));
  CHECK(cudaFreeHost(result));
  return bad != 0;
}
