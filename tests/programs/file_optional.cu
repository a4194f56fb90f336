// expects: exited 0
// expects: launches 1
// expects: asks 13: The program opens settings.txt
#include <cstdio>

__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) { out[i] = 1.0f; }
}

int main() {
  int n = 4096;
  if (FILE* f = fopen("settings.txt", "r")) {
    if (fscanf(f, "%d", &n) != 1) { return 1; }
    fclose(f);
  }
  float* out = nullptr;
  cudaMalloc(&out, n * sizeof(float));
  fill<<<2, 2048>>>(out, n);  // finds: launch-limit unchecked-error  // fails: The block 2048×1×1 has 2048 threads
  cudaFree(out);
}
