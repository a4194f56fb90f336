extern "C" __global__ void scale(float *data, int rows, int cols) {
  const unsigned int tid = threadIdx.x + blockDim.x * (blockIdx.x + gridDim.x * blockIdx.y);
  if (tid < (unsigned)(rows * cols)) { float v = data[tid]; data[tid] = v < 0 ? -v + 1 : sqrtf(v) + 2.f; }
}
int main() {
  int rows = 30, cols = 20; float *data;
  cudaMallocManaged(&data, rows * cols * sizeof *data);
  dim3 grid; grid.x = 5;
  scale<<<10, 64>>>(data, rows, cols);
}
// expects: scale clean 600
