// expects: exited 0
// expects: launches 3
#include <cstdio>
#include <cstdlib>

__global__ void mark(int* seen, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) seen[y * w + x] = 1;
}

int main() {
  const int w = 90, h = 70;
  int *seen, *back = (int*)malloc(w * h * sizeof(int));
  cudaMalloc(&seen, w * h * sizeof(int));
  cudaMemset(seen, 0, w * h * sizeof(int));
  mark<<<dim3(2, 2), dim3(64, 64)>>>(seen, w, h);  // finds: launch-limit // fails: 4096 threads
  if (cudaGetLastError() == cudaSuccess) printf("a block of 4096 threads\n");
  mark<<<dim3(1, 70000), dim3(128, 1)>>>(seen, w, h);  // finds: launch-limit // fails: too large
  if (cudaGetLastError() == cudaSuccess) printf("a grid of 70000 rows\n");
  mark<<<0, 256>>>(seen, w, h);  // finds: launch-limit unchecked-error // fails: no blocks
  cudaMemcpy(back, seen, w * h * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", back[0]);
  cudaFree(seen);
  free(back);
}
