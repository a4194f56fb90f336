// Upwind transport on a ring, compared with the exact solution, which is the profile some cells further: not the same, as
// it should be, and the status is 1.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>
const int CELLS = 120, STEPS = 8;
__global__ void upwind(const double* q, double* p, double courant) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < CELLS) p[i] = q[i] - courant * (q[i] - q[(i + CELLS - 1) % CELLS]);
}
int main() {
  std::vector<double> start(CELLS), end(CELLS), exact(CELLS);
  for (int i = 0; i < CELLS; i++) start[i] = (i > 30 && i < 50 ? 2.0 : 0.0) + i * 13 % 7 * 0.02;
  for (int i = 0; i < CELLS; i++) exact[i] = start[(i + CELLS - 4) % CELLS];
  double *a, *b;
  cudaMalloc(&a, CELLS * sizeof(double));
  cudaMalloc(&b, CELLS * sizeof(double));
  cudaMemcpy(a, start.data(), CELLS * sizeof(double), cudaMemcpyHostToDevice);
  for (int n = 0; n < STEPS; n++) {
    upwind<<<2, 64>>>(a, b, 0.5);
    std::swap(a, b);
  }
  cudaMemcpy(end.data(), a, CELLS * sizeof(double), cudaMemcpyDeviceToHost);
  double most = 0;
  for (int i = 0; i < CELLS; i++) most = fmax(most, fabs(end[i] - exact[i]));
  printf("off by %f at most\n", most);
  cudaFree(a);
  cudaFree(b);
  return most < 0.01 ? 0 : 1;
}
