// expects: exited 1
// expects: launches 10
// expects: prints FAIL
// expects: rejects Where the program's own functions write, the kernels compute the same
// Of three arrays in time the host exchanges two: from the second step on the oldest one is stale.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

__global__ void wave(const float* before, const float* now, float* after, int n, float c) {  // matches: wave_cpu
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1) after[i] = 2.0f * now[i] - before[i] + c * (now[i - 1] - 2.0f * now[i] + now[i + 1]);
}

void wave_cpu(const float* before, const float* now, float* after, int n, float c) {
  for (int i = 1; i < n - 1; i++) after[i] = 2.0f * now[i] - before[i] + c * (now[i - 1] - 2.0f * now[i] + now[i + 1]);
}

int main() {
  const int n = 300, steps = 10;
  const float c = 0.4f;
  static float a[n], b[n], d[n], result[n];
  for (int i = 0; i < n; i++) a[i] = b[i] = expf(-0.01f * (i - 100) * (i - 100));
  float *da, *db, *dc;
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof a);
  cudaMalloc(&dc, sizeof a);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  cudaMemset(dc, 0, sizeof a);
  for (int s = 0; s < steps; s++) {
    wave<<<3, 128>>>(da, db, dc, n, c);
    float* t = db;
    db = dc;
    dc = t;
  }
  cudaMemcpy(result, db, sizeof a, cudaMemcpyDeviceToHost);
  float *before = a, *now = b, *after = d;
  for (int s = 0; s < steps; s++) {
    wave_cpu(before, now, after, n, c);
    float* t = before;
    before = now;
    now = after;
    after = t;
  }
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += fabsf(result[i] - now[i]) > 1e-4f;
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  if (wrong) {
    printf("FAIL: %d points differ\n", wrong);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
