// A whole program: the host part is not read.
#include <stdio.h>
#include <vector>
#include "cuda_runtime.h"
#define CHECK(call) do { cudaError_t status = call; if (status) exit(1); } while (0)

__global__ void kernel(float* out) { out[threadIdx.x] = 1.0f; }

static void fill(std::vector<float>& values, const std::string& name, FILE* log) {
  for (auto& value : values) value = rand();
}

int main(int argc, char** argv) {
  std::vector<float> values(argc);
  CHECK(cudaMalloc(&pointer, 4));
  kernel<<<1, 32>>>(pointer);
  return undeclared;
}

/* lowered
  Statement 0 Expression
  %0 = Offset out, threadIdx.x, 4
  Store.F32 [%0], 1.0f out
*/
