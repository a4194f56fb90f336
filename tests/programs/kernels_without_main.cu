// expects: no-main
// expects: launches 0
__global__ void laplacian(const float* u, float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) v[i] = u[i - 1] - 2 * u[i] + u[i + 1];
}
