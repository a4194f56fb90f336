// expects: exited 0
// expects: launches 4
// expects: prints 2 4 6, then 3 6 9
// expects: prints filled 7
#include <cstdio>

__global__ void scale(float *a, float by, int n) {
  const int i = threadIdx.x;
  if (i < n) a[i] *= by;
}
__global__ void seven(unsigned int *a) {
  if (threadIdx.x == 0) a[3] += 0;
}

#define CHECK(call) if ((call) != cudaSuccess) return printf("line %d: %s\n", __LINE__, cudaGetErrorString(cudaGetLastError())), 1

int main() {
  float host[3] = {1, 2, 3}, out[3], *d, by = 2;
  unsigned int *words, word;
  int n = 3;
  cudaMalloc(&d, sizeof host), cudaMalloc(&words, 8 * sizeof(unsigned int));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t in, kernel, back, fill, look;
  CHECK(cudaGraphAddMemcpyNode1D(&in, graph, nullptr, 0, d, host, sizeof host, cudaMemcpyHostToDevice));
  void *arguments[] = {&d, &by, &n};
  cudaKernelNodeParams launch = {};
  launch.func = (void *)scale;
  launch.gridDim = dim3(1), launch.blockDim = dim3(32);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &in, 1, &launch));
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, out, d, sizeof host, cudaMemcpyDeviceToHost));
  cudaMemsetParams set = {};
  set.dst = words, set.value = 7, set.elementSize = 4, set.width = 8, set.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  void *one[] = {&words};
  cudaKernelNodeParams second = {};
  second.func = (void *)seven;
  second.gridDim = dim3(1), second.blockDim = dim3(32);
  second.kernelParams = one;
  CHECK(cudaGraphAddKernelNode(&look, graph, nullptr, 0, &second));
  CHECK(cudaGraphAddDependencies(graph, &fill, &look, 1));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("%g %g %g, then", out[0], out[1], out[2]);
  by = 3;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, kernel, &launch));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf(" %g %g %g\n", out[0], out[1], out[2]);
  cudaMemcpy(&word, words + 5, sizeof word, cudaMemcpyDeviceToHost);
  printf("filled %u\n", word);
  cudaGraphExecDestroy(executable), cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(d), cudaFree(words);
}
