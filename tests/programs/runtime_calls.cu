// expects: exited 0
// expects: launches 6
// expects: prints mapped 10
// expects: prints streams 30
// expects: prints managed 7
// expects: prints registered 4
// expects: prints launched 6
// expects: prints callback 5, host function 6
// Calls of the runtime beyond cudaMalloc and cudaMemcpy: each does what it does on a GPU.
#include <cstdio>
#include <vector>

__constant__ float coefficients[16];

__global__ void scale(float *a, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= by;
}

int main() {
  const int n = 1024;
  const size_t bytes = n * sizeof(float);
  float *h, *onDevice;
  cudaHostAlloc((void **)&h, bytes, cudaHostAllocMapped);
  for (int i = 0; i < n; ++i) h[i] = (float)i;
  cudaHostGetDevicePointer((void **)&onDevice, h, 0);
  scale<<<4, 256>>>(onDevice, n, 2);
  cudaDeviceSynchronize();
  printf("mapped %g\n", h[5]);

  cudaStream_t streams[2];
  for (cudaStream_t &one : streams) cudaStreamCreate(&one);
  cudaEvent_t copied;
  cudaEventCreateWithFlags(&copied, cudaEventDisableTiming);
  float *d;
  cudaMallocAsync(&d, bytes, streams[0]);
  cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, streams[0]);
  cudaEventRecord(copied, streams[0]);
  cudaStreamWaitEvent(streams[1], copied, 0);
  scale<<<4, 256, 0, streams[1]>>>(d, n, 3);
  while (cudaEventQuery(copied) == cudaErrorNotReady) {}
  cudaStreamSynchronize(streams[1]);
  cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, streams[1]);
  cudaStreamSynchronize(streams[1]);
  printf("streams %g\n", h[5]);
  cudaFreeAsync(d, streams[0]);

  float *m;
  cudaMallocManaged(&m, bytes);
  for (int i = 0; i < n; ++i) m[i] = 1;
  cudaMemAdvise(m, bytes, cudaMemAdviseSetPreferredLocation, 0);
  cudaMemPrefetchAsync(m, bytes, 0);
  scale<<<4, 256>>>(m, n, 7);
  cudaMemPrefetchAsync(m, bytes, cudaCpuDeviceId, 0);
  cudaDeviceSynchronize();
  printf("managed %g\n", m[n - 1]);
  cudaFree(m);

  std::vector<float> v(n, 2.0f);
  cudaHostRegister(v.data(), bytes, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&onDevice, v.data(), 0);
  scale<<<4, 256>>>(onDevice, n, 2);
  cudaDeviceSynchronize();
  printf("registered %g\n", v[1]);
  cudaHostUnregister(v.data());

  float one[32];
  for (float &x : one) x = 1;
  cudaMalloc(&d, sizeof one);
  cudaMemcpy(d, one, sizeof one, cudaMemcpyHostToDevice);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  cudaLaunchKernelEx(&config, scale, d, 32, 2.0f);
  int count = 32;
  float by = 3;
  void *arguments[] = {&d, &count, &by};
  cudaLaunchKernel((const void *)scale, dim3(1), dim3(32), arguments, 0, 0);
  cudaMemcpy(one, d, sizeof one, cudaMemcpyDeviceToHost);
  printf("launched %g\n", one[31]);
  cudaFree(d);

  int five = 5, six = 6;
  cudaStreamAddCallback(
      streams[0], [](cudaStream_t, cudaError_t, void *p) { printf("callback %d, ", *(int *)p); }, &five, 0);
  cudaLaunchHostFunc(streams[0], [](void *p) { printf("host function %d\n", *(int *)p); }, &six);

  size_t symbolBytes;
  cudaFuncAttributes attributes;
  int processors, runtime, driver;
  cudaGetSymbolSize(&symbolBytes, coefficients);
  cudaFuncGetAttributes(&attributes, scale);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  const bool known = symbolBytes == sizeof coefficients && attributes.maxThreadsPerBlock == 1024 && processors == 4 &&
                     runtime == driver;
  for (cudaStream_t one : streams) cudaStreamDestroy(one);
  cudaEventDestroy(copied);
  cudaFreeHost(h);
  return known ? 0 : 1;
}
