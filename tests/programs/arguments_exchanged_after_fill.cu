// expects: exited 1
// expects: launches 1
// expects: prints transpose-free: 0
// The arguments are exchanged: what the host copies is what it filled before.
#include <cstdio>
#include <cstring>

#define NX 40
#define NY 25

__global__ void gradient(const float (*u)[NX], float (*gx)[NX]) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < NY && x > 0 && x < NX - 1) gx[y][x] = 0.5f * (u[y][x + 1] - u[y][x - 1]);
}

static float u[NY][NX], g[NY][NX];

int main() {
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++) u[y][x] = 2.0f * x + 100 * y;
  float(*d_u)[NX], (*d_g)[NX];
  cudaMalloc((void**)&d_u, sizeof u);
  cudaMalloc((void**)&d_g, sizeof g);
  cudaMemcpy(d_u, u, sizeof u, cudaMemcpyHostToDevice);
  cudaMemset(d_g, 0, sizeof g);
  gradient<<<dim3(2, 4), dim3(32, 8)>>>(d_g, d_u);
  cudaMemcpy(g, d_g, sizeof g, cudaMemcpyDeviceToHost);  // finds: result-missing
  int right = 1;
  for (int y = 0; y < NY; y++)
    for (int x = 1; x < NX - 1; x++) right = right && g[y][x] == 2.0f;
  printf("transpose-free: %d\n", right);
  cudaFree(d_u);
  cudaFree(d_g);
  return !right;
}
