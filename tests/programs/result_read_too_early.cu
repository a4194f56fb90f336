// expects: exited 0
// expects: launches 1
// An asynchronous copy into page-locked memory, which the host reads before the stream has ended.
#include <cstdio>

__global__ void count(int* a) { a[threadIdx.x] = threadIdx.x; }

int main() {
  int *host, *device;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocHost(&host, 64 * sizeof(int));
  cudaMalloc(&device, 64 * sizeof(int));
  count<<<1, 64, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
  printf("%d\n", host[5]);  // finds: missing-synchronization
  cudaStreamSynchronize(stream);
  printf("%d\n", host[5]);
  cudaFree(device);
  cudaFreeHost(host);
  cudaStreamDestroy(stream);
}
