// expects: exited 4
// expects: launches 1
// expects: prints cudaMalloc of 1099511627776 bytes: out of memory
// expects: prints cleaned up
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

struct OutOfDeviceMemory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class T>
std::unique_ptr<T, cudaError_t (*)(void*)> onDevice(size_t count) {
  T* p = nullptr;
  if (cudaError_t e = cudaMalloc(reinterpret_cast<void**>(&p), count * sizeof(T)); e != cudaSuccess) {
    throw OutOfDeviceMemory("cudaMalloc of " + std::to_string(count * sizeof(T)) + " bytes: " + cudaGetErrorString(e));
  }
  return {p, [](void* q) { return cudaFree(q); }};
}

struct Farewell {
  ~Farewell() { std::puts("cleaned up"); }
};

__global__ void negate(float* v, int n) {
  int i = threadIdx.x;
  if (i < n) v[i] = -v[i];
}

int main() {
  try {
    Farewell farewell;
    auto small = onDevice<float>(100);
    cudaMemset(small.get(), 0, 400);
    negate<<<1, 128>>>(small.get(), 100);
    auto huge = onDevice<float>(size_t(1) << 38);
    negate<<<1, 128>>>(huge.get(), 100);
  } catch (const OutOfDeviceMemory& e) {
    std::puts(e.what());
    return 4;
  }
  return 0;
}
