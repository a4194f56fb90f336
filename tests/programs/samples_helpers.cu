// expects: exited 0
// expects: launches 1
// expects: prints width 40
// expects: prints blurred
// The headers of NVIDIA's samples, timers, and C++ that students use around a kernel.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <random>
#include <thread>
#include <vector>

#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_timer.h>

__global__ void blur(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  int count = 0;
  for (int j = max(y - 1, 0); j <= min(y + 1, height - 1); ++j)
    for (int i = max(x - 1, 0); i <= min(x + 1, width - 1); ++i) sum += in[j * width + i], ++count;
  out[y * width + x] = sum / count;
}

int main(int argc, char **argv) {
  const int device = findCudaDevice(argc, (const char **)argv);
  cudaDeviceProp properties;
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  int width = 40;
  const int height = 24;
  if (checkCmdLineFlag(argc, (const char **)argv, "width")) {
    width = getCmdLineArgumentInt(argc, (const char **)argv, "width");
  }
  std::mt19937 random(42);
  std::uniform_real_distribution<float> numbers(0, 1);
  std::vector<float> in(width * height), out(width * height);
  std::generate(in.begin(), in.end(), [&] { return numbers(random); });
  StopWatchInterface *timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  const auto begin = std::chrono::high_resolution_clock::now();
  float *dIn, *dOut;
  const size_t bytes = in.size() * sizeof(float);
  checkCudaErrors(cudaMalloc((void **)&dIn, bytes));
  checkCudaErrors(cudaMalloc((void **)&dOut, bytes));
  checkCudaErrors(cudaMemcpy(dIn, in.data(), bytes, cudaMemcpyHostToDevice));
  blur<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(dIn, dOut, width, height);
  getLastCudaError("blur");
  checkCudaErrors(cudaDeviceSynchronize());
  checkCudaErrors(cudaMemcpy(out.data(), dOut, bytes, cudaMemcpyDeviceToHost));
  sdkStopTimer(&timer);
  const std::chrono::duration<double> passed = std::chrono::high_resolution_clock::now() - begin;
  std::atomic<int> rows{0};
  std::thread other([&] { rows += height / 2; });
  rows += height / 2;
  other.join();
  std::cout << std::fixed << std::setprecision(3) << "width " << width << "\n";
  if (rows == height && passed.count() > 0 && sdkGetTimerValue(&timer) > 0) std::cout << "blurred\n";
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaFree(dIn));
  checkCudaErrors(cudaFree(dOut));
}
