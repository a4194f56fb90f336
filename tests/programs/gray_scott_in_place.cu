// expects: exited 0
// expects: launches 8
// The first field is updated in place: neighbours read it before or after.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double *u, *v;
} Fields;

typedef struct {
  double du, dv, feed, kill, dt;
} Rates;

#define WRAP(i, n) (((i) + (n)) % (n))

__device__ double laplacian(const double *f, int x, int y, int nx, int ny) {
  int l = WRAP(x - 1, nx), r = WRAP(x + 1, nx), d = WRAP(y - 1, ny), u = WRAP(y + 1, ny);
  return f[y * nx + l] + f[y * nx + r] + f[d * nx + x] + f[u * nx + x] - 4.0 * f[y * nx + x];  // finds: uninitialized
}

__global__ void gray_scott(Fields now, Fields next, Rates r, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  int i = y * nx + x;
  double u = now.u[i], v = now.v[i], uvv = u * v * v;
  now.u[i] = u + r.dt * (r.du * laplacian(now.u, x, y, nx, ny) - uvv + r.feed * (1.0 - u));  // finds: race-global
  next.v[i] = v + r.dt * (r.dv * laplacian(now.v, x, y, nx, ny) + uvv - (r.feed + r.kill) * v);
}

static Fields allocate(size_t bytes) {
  Fields f;
  cudaMalloc(&f.u, bytes);
  cudaMalloc(&f.v, bytes);
  return f;
}

static void release(Fields f) {
  cudaFree(f.u);
  cudaFree(f.v);
}

int main(void) {
  const int nx = 48, ny = 40, steps = 8;
  size_t bytes = nx * ny * sizeof(double);
  double *u = (double *)malloc(bytes), *v = (double *)malloc(bytes);
  for (int i = 0; i < nx * ny; i++) {
    int x = i % nx, y = i / nx, seed = abs(x - nx / 2) < 5 && abs(y - ny / 2) < 5;
    u[i] = seed ? 0.5 : 1.0;
    v[i] = seed ? 0.25 : 0.0;
  }
  Fields now = allocate(bytes), next = allocate(bytes);
  cudaMemcpy(now.u, u, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(now.v, v, bytes, cudaMemcpyHostToDevice);
  Rates rates = {0.16, 0.08, 0.035, 0.065, 1.0};
  dim3 block(16, 16), grid((nx + 15) / 16, (ny + 15) / 16);
  for (int s = 0; s < steps; s++) {
    gray_scott<<<grid, block>>>(now, next, rates, nx, ny);
    Fields t = now;
    now = next;
    next = t;
  }
  cudaMemcpy(v, now.v, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < nx * ny; i++) sum += v[i];
  printf("steps %d, mean of v %f\n", steps, sum / (nx * ny));
  release(now);
  release(next);
  free(u);
  free(v);
  return 0;
}
