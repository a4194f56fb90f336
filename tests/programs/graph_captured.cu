// expects: exited 0
// expects: launches 30
// expects: prints captured 1, then nothing ran: 0
// expects: prints after ten launches 20, of the other stream 10
// expects: prints called 10 times
#include <cstdio>

// What is captured is done when the graph is launched, each time, with the arguments of the capture.

__global__ void add(int *a, int by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += by;
}

int main() {
  const int n = 1000;
  int *a, *b, *host, calls = 0;
  cudaMalloc(&a, n * sizeof(int)), cudaMalloc(&b, n * sizeof(int));
  cudaMallocHost(&host, 2 * n * sizeof(int));
  cudaMemset(a, 0, n * sizeof(int)), cudaMemset(b, 0, n * sizeof(int));
  cudaStream_t stream, side;
  cudaStreamCreate(&stream), cudaStreamCreate(&side);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork), cudaEventCreate(&join);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(stream, &status);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(side, fork, 0);
  int by = 1;
  add<<<(n + 255) / 256, 256, 0, stream>>>(a, by, n);
  add<<<(n + 255) / 256, 256, 0, side>>>(b, by, n);
  add<<<(n + 255) / 256, 256, 0, stream>>>(a, by, n);
  cudaEventRecord(join, side);
  cudaStreamWaitEvent(stream, join, 0);
  by = 100;
  cudaMemcpyAsync(host, a, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaMemcpyAsync(host + n, b, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, [](void *p) { ++*(int *)p; }, &calls);
  if (cudaStreamEndCapture(stream, &graph) != cudaSuccess) return 1;
  printf("captured %d, then nothing ran: %d\n", (int)(status == cudaStreamCaptureStatusActive), calls);
  size_t count;
  cudaGraphGetNodes(graph, nullptr, &count);
  if (cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0) != cudaSuccess) return 2;
  for (int i = 0; i < 10; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  printf("after ten launches %d, of the other stream %d\ncalled %d times\n", host[n - 1], host[n], calls);
  cudaGraphExecDestroy(executable), cudaGraphDestroy(graph);
  cudaEventDestroy(fork), cudaEventDestroy(join);
  cudaStreamDestroy(stream), cudaStreamDestroy(side);
  cudaFree(a), cudaFree(b), cudaFreeHost(host);
}
