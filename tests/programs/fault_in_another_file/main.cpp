// expects: exited 0
// expects: launches 1
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

void gradient(const std::vector<float>& values, std::vector<float>& result);

int main() {
  std::vector<float> values(400, 2.0f), result(400);
  gradient(values, result);
  std::printf("%g\n", result[3]);
}
