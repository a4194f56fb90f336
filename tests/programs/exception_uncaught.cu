// expects: uncaught
// expects: launches 1
// expects: prints before
// expects: says std::runtime_error
// expects: says the field has 3 dimensions
#include <iostream>
#include <stdexcept>

__global__ void zero(float* a) { a[threadIdx.x] = 0; }

void prepare(int dimensions) {
  if (dimensions != 2) throw std::runtime_error("the field has " + std::to_string(dimensions) + " dimensions");  // ends here
}

int main() {
  float* a;
  cudaMalloc(&a, 32 * sizeof(float));
  zero<<<1, 32>>>(a);
  std::cout << "before" << std::endl;
  prepare(3);
  cudaFree(a);
}
