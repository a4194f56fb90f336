// expects: exited 0
// expects: launches 8
// A rod in two halves, each on its own GPU. What travels does not wait for the kernel that computes it.
#include <nccl.h>

#include <cstdio>
#include <utility>

__global__ void heat(const float* in, float* out, int n) {
  const int i = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) return;
  out[i] = in[i] + 0.25f * (in[i - 1] - 2 * in[i] + in[i + 1]);
}

int main() {
  const int n = 256;
  float start[n + 2] = {}, *in[2], *out[2];
  for (int i = 0; i < n + 2; ++i) start[i] = (float)(i % 17);
  const int devices[2] = {0, 1};
  ncclComm_t comms[2];
  ncclCommInitAll(comms, 2, devices);
  cudaStream_t work[2], travel[2];
  cudaEvent_t computed[2], arrived[2];
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaStreamCreate(&work[d]), cudaStreamCreate(&travel[d]);
    cudaEventCreate(&computed[d]), cudaEventCreate(&arrived[d]);
    cudaMalloc(&in[d], sizeof start);
    cudaMalloc(&out[d], sizeof start);
    cudaMemcpy(in[d], start, sizeof start, cudaMemcpyHostToDevice);
    cudaMemcpy(out[d], start, sizeof start, cudaMemcpyHostToDevice);
  }
  for (int t = 0; t < 4; ++t) {
    for (int d = 0; d < 2; ++d) {
      cudaSetDevice(d);
      heat<<<1, n, 0, work[d]>>>(in[d], out[d], n);
    }
    ncclGroupStart();
    ncclSend(out[0] + n, 1, ncclFloat, 1, comms[0], travel[0]);
    ncclRecv(out[0] + n + 1, 1, ncclFloat, 1, comms[0], travel[0]);  // finds: unordered
    ncclSend(out[1] + 1, 1, ncclFloat, 0, comms[1], travel[1]);
    ncclRecv(out[1], 1, ncclFloat, 0, comms[1], travel[1]);  // finds: unordered
    ncclGroupEnd();
    for (int d = 0; d < 2; ++d) {
      cudaSetDevice(d);
      cudaEventRecord(arrived[d], travel[d]);
      cudaStreamWaitEvent(work[d], arrived[d]);
      std::swap(in[d], out[d]);
    }
  }
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
    cudaMemcpy(start, in[d], sizeof start, cudaMemcpyDeviceToHost);
    printf("%f %f\n", start[0], start[n + 1]);
    cudaFree(in[d]), cudaFree(out[d]);
    cudaStreamDestroy(work[d]), cudaStreamDestroy(travel[d]);
    cudaEventDestroy(computed[d]), cudaEventDestroy(arrived[d]);
    ncclCommDestroy(comms[d]);
  }
}
