// Red and black relaxation in place with the sign of the source exchanged; the program prints how far host and device are apart.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 44
#define NY 37

__global__ void relax(float *p, const float *s, int colour) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= NX - 1 || y >= NY - 1 || ((x + y) & 1) != colour) return;
  int i = y * NX + x;
  p[i] = 0.25f * (p[i - 1] + p[i + 1] + p[i - NX] + p[i + NX] + s[i]);
}

static float p[NX * NY], s[NX * NY], got[NX * NY];

int main(void) {
  float worst = 0;
  for (int i = 0; i < NX * NY; i++) {
    p[i] = (i * 29 % 53) * 0.1f;
    s[i] = (i * 17 % 41) * 0.05f - 0.4f;
  }
  float *dp, *ds;
  cudaMalloc((void **)&dp, sizeof p);
  cudaMalloc((void **)&ds, sizeof s);
  cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice);
  cudaMemcpy(ds, s, sizeof s, cudaMemcpyHostToDevice);
  dim3 block(16, 8), grid((NX + 15) / 16, (NY + 7) / 8);
  for (int n = 0; n < 8; n++) relax<<<grid, block>>>(dp, ds, n & 1);
  cudaMemcpy(got, dp, sizeof p, cudaMemcpyDeviceToHost);
  for (int n = 0; n < 8; n++)
    for (int y = 1; y < NY - 1; y++)
      for (int x = 1; x < NX - 1; x++) {
        int i = y * NX + x;
        if (((x + y) & 1) == (n & 1)) p[i] = 0.25f * (p[i - 1] + p[i + 1] + p[i - NX] + p[i + NX] - s[i]);
      }
  for (int i = 0; i < NX * NY; i++) worst = fmaxf(worst, fabsf(got[i] - p[i]));
  printf("device and host: %e\n", worst);
  cudaFree(dp);
  cudaFree(ds);
  return 0;
}
