// expects: exited 0
// expects: launches 2
#include <stdio.h>

// The two branches of the graph work on one array, and only the end joins them.

__global__ void left(float *a, int n) {
  int i = threadIdx.x;
  if (i < n) a[i] = 1;
}
__global__ void right(const float *a, float *b, int n) {
  int i = threadIdx.x;
  if (i < n) b[i] = a[n - 1 - i];
}

int main() {
  const int n = 64;
  float *a, *b, host[n];
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMemset(a, 0, sizeof host);
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, one);
  cudaStreamWaitEvent(two, fork, 0);
  left<<<1, n, 0, one>>>(a, n);
  right<<<1, n, 0, two>>>(a, b, n);  // finds: unordered
  cudaEventRecord(join, two);
  cudaStreamWaitEvent(one, join, 0);
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&executable, graph, NULL, NULL, 0);
  cudaGraphLaunch(executable, one);
  cudaStreamSynchronize(one);
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g\n", host[0]);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork), cudaEventDestroy(join);
  cudaStreamDestroy(one), cudaStreamDestroy(two);
  cudaFree(a), cudaFree(b);
}
