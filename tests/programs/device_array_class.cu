// expects: exited 0
// expects: launches 3
// expects: prints float: ok
// expects: prints double: ok
// expects: prints int: ok
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) { check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc"); }
  explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) {
    check(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "upload");
  }
  DeviceArray(DeviceArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(other.count_) {}
  DeviceArray(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }
  T* get() { return data_; }
  const T* get() const { return data_; }
  std::vector<T> download() const {
    std::vector<T> to(count_);
    check(cudaMemcpy(to.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "download");
    return to;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

template <typename T>
__global__ void second_difference(const T* in, T* out, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i > 0 && i + 1 < n) out[i] = in[i - 1] - 2 * in[i] + in[i + 1];
  if (i == 0 || i + 1 == n) out[i] = T(0);
}

template <typename T>
DeviceArray<T> differentiate(const DeviceArray<T>& in, std::size_t n) {
  DeviceArray<T> out(n);
  second_difference<T><<<(n + 95) / 96, 96>>>(in.get(), out.get(), n);
  check(cudaGetLastError(), "launch");
  return out;
}

template <typename T>
void demonstrate(const char* name) {
  const std::size_t n = 257;
  std::vector<T> squares(n);
  for (std::size_t i = 0; i < n; ++i) squares[i] = T(i) * T(i);
  const DeviceArray<T> input(squares);
  const DeviceArray<T> output = differentiate(input, n);
  const std::vector<T> result = output.download();
  bool ok = result.front() == T(0) && result.back() == T(0);
  for (std::size_t i = 1; i + 1 < n; ++i) ok = ok && result[i] == T(2);
  std::cout << name << ": " << (ok ? "ok" : "wrong") << std::endl;
}

int main() {
  try {
    demonstrate<float>("float");
    demonstrate<double>("double");
    demonstrate<int>("int");
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << std::endl;
    return 1;
  }
  return 0;
}
