// How long one convolution takes with all that belongs to the call, and on one core of the host: prints
// assets/recorded/h200_small_convolution.json. Medians; the host's arrays are pageable. Here, in the root of the tree:
//   nvcc -O3 -arch=native -Xcompiler -march=native -I. assets/peers/small_convolution.cu -o small && ./small
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "kernels/convolution/constant.cu"

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

__global__ void nothing() {}

template <typename Work>
double median(int samples, Work work) {
  std::vector<double> times;
  for (int i = -3; i < samples; ++i) {  // three to warm up
    auto begin = Clock::now();
    work();
    Milliseconds time = Clock::now() - begin;
    if (i >= 0) { times.push_back(time.count()); }
  }
  std::nth_element(times.begin(), times.begin() + samples / 2, times.end());
  return times[samples / 2];
}

// Without the rim, as a compiler vectorises it best.
void onHost(const float* in, float* out, const float f[3][3], int n) {
  for (int i = 1; i < n - 1; ++i) {
    for (int j = 1; j < n - 1; ++j) {
      const float* p = in + i * n + j;
      out[i * n + j] = f[0][0] * p[-n - 1] + f[0][1] * p[-n] + f[0][2] * p[1 - n] + f[1][0] * p[-1] + f[1][1] * p[0] +
                       f[1][2] * p[1] + f[2][0] * p[n - 1] + f[2][1] * p[n] + f[2][2] * p[n + 1];
    }
  }
}

int main() {
  auto begin = Clock::now();
  cudaFree(nullptr);  // makes the context
  Milliseconds first = Clock::now() - begin;
  const float f[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
  cudaMemcpyToSymbol(filter, f, sizeof f);
  cudaDeviceProp gpu;
  cudaGetDeviceProperties(&gpu, 0);
  printf("{\"gpu\": \"%s\", \"classes\": [{\"class\": \"3 × 3 convolution, whole call\", \"variants\": [\n", gpu.name);
  const char* comma = "";
  for (int n : {100, 500, 2000, 8192}) {
    size_t bytes = sizeof(float) * n * n;
    std::vector<float> in(n * n), out(n * n), host(n * n);
    for (int i = 0; i < n * n; ++i) { in[i] = i % 17; }
    float *there, *result;
    cudaMalloc(&there, bytes);
    cudaMalloc(&result, bytes);
    auto launch = [&] { convolution<<<dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)>>>(there, result, n, n); };
    auto copyIn = [&] { cudaMemcpy(there, in.data(), bytes, cudaMemcpyHostToDevice); };
    auto copyOut = [&] { cudaMemcpy(out.data(), result, bytes, cudaMemcpyDeviceToHost); };
    double whole = median(101, [&] { copyIn(), launch(), copyOut(); });
    double in_ms = median(101, copyIn), out_ms = median(101, copyOut);
    double empty = median(999, [] { nothing<<<1, 32>>>(), cudaDeviceSynchronize(); });
    double one = median(999, [&] { launch(), cudaDeviceSynchronize(); });
    double queued = median(101, [&] {  // only the last is waited for
                      for (int i = 0; i < 200; ++i) { launch(); }
                      cudaDeviceSynchronize();
                    }) / 200;
    double cpu = median(n > 5000 ? 11 : 201, [&] { onHost(in.data(), host.data(), f, n); });
    float difference = 0;
    for (int i = 1; i < n - 1; ++i) {
      for (int j = 1; j < n - 1; ++j) {
        difference = std::max(difference, std::abs(out[i * n + j] - host[i * n + j]));
      }
    }
    printf("%s{\"id\": \"%d²\", \"context_ms\": %.1f, \"copy_in_ms\": %.5f, \"copy_out_ms\": %.5f, \"empty_launch_ms\": %.5f, \"launch_ms\": %.5f, "
           "\"queued_launch_ms\": %.5f, \"whole_ms\": %.5f, \"cpu_ms\": %.5f, \"largest_difference\": %g}",
           comma, n, first.count(), in_ms, out_ms, empty, one, queued, whole, cpu, difference);
    comma = ",\n";
    cudaFree(there);
    cudaFree(result);
  }
  printf("]}],\n\"problem\": \"%s\"}\n", cudaGetErrorString(cudaGetLastError()));
}
