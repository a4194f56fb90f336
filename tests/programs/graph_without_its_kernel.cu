// expects: exited 1
// expects: launches 0
// expects: prints operation would make the legacy stream depend on a capturing blocking stream
// expects: prints operation failed due to a previous error during capture
#include <stdio.h>

// The launch forgets its stream: the default stream cannot be used while another one is captured.

__global__ void one(float *a) { a[threadIdx.x] = 1; }

int main() {
  float *a;
  cudaMalloc(&a, 32 * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  one<<<1, 32>>>(a);  // finds: broken-capture
  puts(cudaGetErrorString(cudaGetLastError()));
  cudaError_t error = cudaStreamEndCapture(stream, &graph);
  puts(cudaGetErrorString(error));
  return error != cudaSuccess;
}
