// expects: exited 0
// expects: launches 40
// expects: prints residual below
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REAL double
#define NX 34
#define NY 26
#define IDX(i, j) ((j) * NX + (i))

__global__ void jacobi(const REAL *u, REAL *v, const REAL *f, REAL h2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < NX - 1 && j < NY - 1)
    v[IDX(i, j)] = (REAL)0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] + h2 * f[IDX(i, j)]);
}

int main(int argc, char **argv) {
  const size_t bytes = NX * NY * sizeof(REAL);
  REAL *u = (REAL *)calloc(NX * NY, sizeof(REAL)), *f = (REAL *)malloc(bytes), *w = (REAL *)calloc(NX * NY, sizeof(REAL));
  REAL *w2 = (REAL *)calloc(NX * NY, sizeof(REAL));
  for (int k = 0; k < NX * NY; k++) f[k] = 1.0;
  REAL *d_u, *d_v, *d_f;
  cudaMalloc((void **)&d_u, bytes);
  cudaMalloc((void **)&d_v, bytes);
  cudaMalloc((void **)&d_f, bytes);
  cudaMemcpy(d_u, u, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_v, u, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_f, f, bytes, cudaMemcpyHostToDevice);
  dim3 block(16, 8);
  dim3 grid((NX - 2 + block.x - 1) / block.x, (NY - 2 + block.y - 1) / block.y);
  const REAL h2 = 1.0 / (NX * NX);
  for (int it = 0; it < 40; it++) {
    jacobi<<<grid, block>>>(d_u, d_v, d_f, h2);
    REAL *t = d_u;
    d_u = d_v;
    d_v = t;
  }
  cudaMemcpy(u, d_u, bytes, cudaMemcpyDeviceToHost);
  for (int it = 0; it < 40; it++) {
    for (int j = 1; j < NY - 1; j++)
      for (int i = 1; i < NX - 1; i++)
        w2[IDX(i, j)] = 0.25 * (w[IDX(i - 1, j)] + w[IDX(i + 1, j)] + w[IDX(i, j - 1)] + w[IDX(i, j + 1)] + h2 * f[IDX(i, j)]);
    REAL *t = w;
    w = w2;
    w2 = t;
  }
  REAL worst = 0;
  for (int k = 0; k < NX * NY; k++) worst = fmax(worst, fabs(u[k] - w[k]));
  if (worst > 1e-14) { printf("the sweeps differ by %g\n", worst); return 1; }
  printf("residual below %g\n", 1e-14);
  cudaFree(d_u); cudaFree(d_v); cudaFree(d_f);
  free(u); free(f); free(w); free(w2);
  return 0;
}
