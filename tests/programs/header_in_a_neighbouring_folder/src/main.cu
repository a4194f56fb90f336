// expects: exited 0
// expects: launches 1
// expects: prints 3 of 5
#include "field.h"
#include "../printing.h"

// A project's build names its folders; those that have the header alone are found without it.

__global__ void twice(float *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = scaled(a[i]);
}

int main() {
  Field field(kPoints);
  twice<<<1, 32>>>(field.data, kPoints);
  show(field);
}
