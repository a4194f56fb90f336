// expects: heat clean 7000
// launch: heat 3,3,3 8,8,8 0
// sizes: heat n=24 m=20
#include <cuda_runtime.h>

__global__ void heat(const float* in, float* out, float k, int n, int m, int l) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= m - 1 || z >= l - 1) return;
  int i = (z * m + y) * n + x;
  out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * m] + in[i + n * m] - 6 * in[i]);
}

int main() {
  int n = 24, m = 20, l = 24;
  float k = 0.1f;
  float *in, *out;
  cudaMallocManaged(&in, n * m * l * sizeof(float));
  cudaMallocManaged(&out, n * m * l * sizeof(float));
  void* args[] = {&in, &out, (void*)&k, &n, &m, &l};
  cudaLaunchKernel((const void*)heat, dim3((n + 7) / 8, (m + 7) / 8, (l + 7) / 8), dim3(8, 8, 8), args, 0, nullptr);
  cudaDeviceSynchronize();
}
