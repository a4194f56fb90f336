// expects: exited 0
// expects: launches 1
// expects: prints maximum 49
// Memory that lives as long as the program: allocated before main(), freed after it.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Pool {
  float* data = nullptr;
  Pool() { cudaMalloc(&data, 50 * sizeof(float)); }
  ~Pool() { cudaFree(data); }
};
static Pool pool;

__global__ void count(float* p) { p[threadIdx.x] = threadIdx.x; }

int main() {
  count<<<1, 50>>>(pool.data);
  std::vector<float> back(50);
  cudaMemcpy(back.data(), pool.data, 50 * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("maximum %g\n", *std::max_element(back.begin(), back.end()));
}
