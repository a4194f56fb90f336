// expects: unsupported
// expects: launches 0
// expects: says cudaMallocArray
#include <cstdio>

int main() {
  cudaArray_t array;
  cudaChannelFormatDesc description = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaMallocArray(&array, &description, 64, 64);  // ends here
  cudaFreeArray(array);
}
