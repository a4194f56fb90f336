// expects: exited 0
// expects: launches 1
// expects: prints largest error 0
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void average(cudaPitchedPtr in, cudaPitchedPtr out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x < 1 || x >= nx - 1) return;
  const char* slice = (const char*)in.ptr + z * (in.pitch * in.ysize);
  const float* row = (const float*)(slice + y * in.pitch);
  float* to = (float*)((char*)out.ptr + (z * out.ysize + y) * out.pitch);
  to[x] = 0.5f * (row[x - 1] + row[x + 1]);
}

int main() {
  const int nx = 37, ny = 5, nz = 4;
  std::vector<float> field(nx * ny * nz), result(nx * ny * nz);
  for (size_t i = 0; i < field.size(); ++i) field[i] = (float)(i * i % 101);
  const cudaExtent extent = make_cudaExtent(nx * sizeof(float), ny, nz);
  cudaPitchedPtr in, out;
  cudaMalloc3D(&in, extent);
  cudaMalloc3D(&out, extent);
  cudaMemset3D(out, 0, extent);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(field.data(), nx * sizeof(float), nx, ny);
  copy.dstPtr = in;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  average<<<dim3((nx + 31) / 32, ny, nz), 32>>>(in, out, nx, ny, nz);
  copy.srcPtr = out;
  copy.dstPtr = make_cudaPitchedPtr(result.data(), nx * sizeof(float), nx, ny);
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
  double worst = 0;
  for (int row = 0; row < ny * nz; ++row) {
    for (int x = 1; x < nx - 1; ++x) {
      const float* at = &field[row * nx + x];
      worst = std::fmax(worst, std::fabs(result[row * nx + x] - 0.5f * (at[-1] + at[1])));
    }
  }
  printf("largest error %g\n", worst);
  cudaFree(in.ptr);
  cudaFree(out.ptr);
}
