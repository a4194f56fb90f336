// expects: exited 0
// expects: launches 6
// expects: prints 0 wrong
// Copies in, work and copies out, each in its own stream, with two buffers on the device: events order them.
#include <cstdio>

#define CHUNK 1024
#define CHUNKS 6

__global__ void shift(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

int main() {
  const size_t bytes = CHUNK * sizeof(float);
  float *from, *to, *in[2], *out[2];
  cudaMallocHost(&from, CHUNKS * bytes);
  cudaMallocHost(&to, CHUNKS * bytes);
  cudaStream_t copyIn, work, copyOut;
  cudaStreamCreate(&copyIn);
  cudaStreamCreate(&work);
  cudaStreamCreate(&copyOut);
  cudaEvent_t there[2], done[2], gone[2];
  for (int b = 0; b < 2; ++b) {
    cudaMalloc(&in[b], bytes);
    cudaMalloc(&out[b], bytes);
    cudaEventCreateWithFlags(&there[b], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done[b], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&gone[b], cudaEventDisableTiming);
  }
  for (int i = 0; i < CHUNK * CHUNKS; ++i) from[i] = i;
  for (int c = 0; c < CHUNKS; ++c) {
    const int b = c % 2;
    if (c >= 2) cudaStreamWaitEvent(copyIn, done[b], 0);
    cudaMemcpyAsync(in[b], from + c * CHUNK, bytes, cudaMemcpyHostToDevice, copyIn);
    cudaEventRecord(there[b], copyIn);
    cudaStreamWaitEvent(work, there[b], 0);
    if (c >= 2) cudaStreamWaitEvent(work, gone[b], 0);
    shift<<<CHUNK / 256, 256, 0, work>>>(in[b], out[b]);
    cudaEventRecord(done[b], work);
    cudaStreamWaitEvent(copyOut, done[b], 0);
    cudaMemcpyAsync(to + c * CHUNK, out[b], bytes, cudaMemcpyDeviceToHost, copyOut);
    cudaEventRecord(gone[b], copyOut);
  }
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < CHUNK * CHUNKS; ++i) wrong += to[i] != i + 1;
  printf("%d wrong\n", wrong);
  for (int b = 0; b < 2; ++b) {
    cudaEventDestroy(there[b]);
    cudaEventDestroy(done[b]);
    cudaEventDestroy(gone[b]);
    cudaFree(in[b]);
    cudaFree(out[b]);
  }
  cudaStreamDestroy(copyIn);
  cudaStreamDestroy(work);
  cudaStreamDestroy(copyOut);
  cudaFreeHost(from);
  cudaFreeHost(to);
}
