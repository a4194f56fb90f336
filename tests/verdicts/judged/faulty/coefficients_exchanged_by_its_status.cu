// An anisotropic Laplacian with north and south exchanged; the host compares as it goes, prints nothing and returns 1.
#include <cmath>
#include <cstdlib>

const int NX = 61, NY = 45;

__global__ void lap(const float* u, float* v, float cw, float ce, float cs, float cn) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= NX - 1 || j < 1 || j >= NY - 1) return;
  int p = j * NX + i;
  v[p] = cw * u[p - 1] + ce * u[p + 1] + cn * u[p - NX] + cs * u[p + NX] - (cw + ce + cs + cn) * u[p];
}

int main() {
  float *h = (float*)malloc(NX * NY * sizeof(float)), *o = (float*)calloc(NX * NY, sizeof(float)), *a, *b;
  for (int k = 0; k < NX * NY; k++) h[k] = (k * 37 % 101) * 0.1f;
  cudaMalloc(&a, NX * NY * sizeof(float));
  cudaMalloc(&b, NX * NY * sizeof(float));
  cudaMemcpy(a, h, NX * NY * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, NX * NY * sizeof(float));
  lap<<<dim3((NX + 15) / 16, (NY + 7) / 8), dim3(16, 8)>>>(a, b, 0.7f, 1.1f, 0.4f, 0.9f);
  cudaMemcpy(o, b, NX * NY * sizeof(float), cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int j = 1; j < NY - 1; j++)
    for (int i = 1; i < NX - 1; i++) {
      int p = j * NX + i;
      float e = 0.7f * (h[p - 1] - h[p]) + 1.1f * (h[p + 1] - h[p]) + 0.4f * (h[p - NX] - h[p]) + 0.9f * (h[p + NX] - h[p]);
      if (fabsf(e - o[p]) > 1e-3f) bad++;
    }
  cudaFree(a);
  cudaFree(b);
  free(h);
  free(o);
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
