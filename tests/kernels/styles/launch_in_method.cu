// expects: jacobi clean 11172
// launch: jacobi 4,13,1 32,8,1 0
// sizes: jacobi nx=116 ny=100
#include <cuda_runtime.h>

#include <vector>

__global__ void jacobi(const float* in, float* out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  out[y * nx + x] = 0.25f * (in[y * nx + x - 1] + in[y * nx + x + 1] + in[(y - 1) * nx + x] + in[(y + 1) * nx + x]);
}

class Solver {
 public:
  Solver(int width, int height) : nx_(width), ny_{height}, block_(32, 8) {
    cudaMalloc(&current_, sizeof(float) * nx_ * ny_);
    cudaMalloc(&next_, sizeof(float) * nx_ * ny_);
  }
  ~Solver() {
    cudaFree(current_);
    cudaFree(next_);
  }

  void step() {
    dim3 grid((nx_ + block_.x - 1) / block_.x, (ny_ + block_.y - 1) / block_.y);
    jacobi<<<grid, block_>>>(current_, next_, nx_, ny_);
    std::swap(current_, next_);
  }

 private:
  int nx_, ny_;
  dim3 block_;
  float* current_ = nullptr;
  float* next_ = nullptr;
};

int main() {
  Solver solver(116, 100);
  for (int i = 0; i < 100; ++i) solver.step();
  cudaDeviceSynchronize();
}
