// expects: exited 0
// expects: launches 20
// expects: prints fields match
// Two independent plates, each in a stream of its own, with page-locked memory and events.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define TRY(what)                                                                         \
  {                                                                                       \
    const cudaError_t status = what;                                                      \
    if (status != cudaSuccess) {                                                          \
      fprintf(stderr, "%s (line %d): %s\n", #what, __LINE__, cudaGetErrorName(status));   \
      abort();                                                                            \
    }                                                                                     \
  }

struct Plate {
  int width, height;
  float alpha;
};

__global__ void diffuse(Plate plate, const float* from, float* to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= plate.width || y >= plate.height) return;
  const int at = y * plate.width + x;
  if (x == 0 || y == 0 || x == plate.width - 1 || y == plate.height - 1) {
    to[at] = from[at];
    return;
  }
  to[at] = from[at] + plate.alpha * (from[at - 1] + from[at + 1] + from[at - plate.width] + from[at + plate.width] - 4 * from[at]);
}

int main() {
  const int plates = 2, sweeps = 10;
  const Plate plate{50, 30, 0.2f};
  const size_t bytes = plate.width * plate.height * sizeof(float);
  float *host[plates], *device[plates][2];
  cudaStream_t stream[plates];
  cudaEvent_t start, stop;
  TRY(cudaEventCreate(&start));
  TRY(cudaEventCreate(&stop));
  for (int p = 0; p < plates; ++p) {
    TRY(cudaStreamCreate(&stream[p]));
    TRY(cudaMallocHost(&host[p], bytes));
    for (int i = 0; i < plate.width * plate.height; ++i) host[p][i] = i % (11 + p);
    for (float*& one : device[p]) TRY(cudaMalloc(&one, bytes));
  }
  TRY(cudaEventRecord(start));
  const dim3 block(16, 16), grid((plate.width + 15) / 16, (plate.height + 15) / 16);
  for (int p = 0; p < plates; ++p) TRY(cudaMemcpyAsync(device[p][0], host[p], bytes, cudaMemcpyHostToDevice, stream[p]));
  for (int s = 0; s < sweeps; ++s) {
    for (int p = 0; p < plates; ++p) diffuse<<<grid, block, 0, stream[p]>>>(plate, device[p][s % 2], device[p][1 - s % 2]);
  }
  float* result[plates];
  for (int p = 0; p < plates; ++p) {
    result[p] = (float*)malloc(bytes);
    TRY(cudaMemcpyAsync(result[p], device[p][0], bytes, cudaMemcpyDeviceToHost, stream[p]));
  }
  TRY(cudaEventRecord(stop));
  TRY(cudaEventSynchronize(stop));
  for (cudaStream_t one : stream) TRY(cudaStreamSynchronize(one));
  float milliseconds = -1;
  TRY(cudaEventElapsedTime(&milliseconds, start, stop));

  bool match = milliseconds >= 0;
  for (int p = 0; p < plates; ++p) {
    float* old = (float*)malloc(bytes);
    for (int s = 0; s < sweeps; ++s) {
      for (int i = 0; i < plate.width * plate.height; ++i) old[i] = host[p][i];
      for (int y = 1; y < plate.height - 1; ++y) {
        for (int x = 1; x < plate.width - 1; ++x) {
          const int at = y * plate.width + x;
          host[p][at] = old[at] + plate.alpha * (old[at - 1] + old[at + 1] + old[at - plate.width] + old[at + plate.width] - 4 * old[at]);
        }
      }
    }
    for (int i = 0; i < plate.width * plate.height; ++i) match = match && std::fabs(host[p][i] - result[p][i]) < 1e-4f;
    free(old);
    free(result[p]);
  }
  printf("fields %s\n", match ? "match" : "differ");
  for (int p = 0; p < plates; ++p) {
    TRY(cudaFreeHost(host[p]));
    for (float* one : device[p]) TRY(cudaFree(one));
    TRY(cudaStreamDestroy(stream[p]));
  }
  TRY(cudaEventDestroy(start));
  TRY(cudaEventDestroy(stop));
  return match ? 0 : 1;
}
