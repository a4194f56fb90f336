// Gauss-Seidel by colours: each half of the points reads what the other half has written.
#include <cstdio>
#include <cmath>
#include <vector>

constexpr int kSide = 50;

__global__ void relaxEven(float* field, const float* source, int side) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < 1 || row < 1 || column >= side - 1 || row >= side - 1 || (column + row) % 2 != 0) return;
  int at = row * side + column;
  field[at] = 0.25f * (field[at - side] + field[at + side] + field[at - 1] + field[at + 1] - source[at]);
}

__global__ void relaxOdd(float* field, const float* source, int side) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < 1 || row < 1 || column >= side - 1 || row >= side - 1 || (column + row) % 2 == 0) return;
  int at = row * side + column;
  field[at] = 0.25f * (field[at - side] + field[at + side] + field[at - 1] + field[at + 1] - source[at]);
}

int main() {
  std::vector<float> field(kSide * kSide), source(kSide * kSide);
  for (int i = 0; i < kSide * kSide; ++i) {
    field[i] = 0.01f * (i % 17);
    source[i] = 0.002f * (i % 5);
  }
  float *onField, *onSource;
  cudaMalloc(&onField, field.size() * sizeof(float));
  cudaMalloc(&onSource, source.size() * sizeof(float));
  cudaMemcpy(onField, field.data(), field.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(onSource, source.data(), source.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(16, 8), grid((kSide + 15) / 16, (kSide + 7) / 8);
  for (int sweep = 0; sweep < 10; ++sweep) {
    relaxEven<<<grid, block>>>(onField, onSource, kSide);
    relaxOdd<<<grid, block>>>(onField, onSource, kSide);
  }
  cudaMemcpy(field.data(), onField, field.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double most = 0;
  for (float one : field) most = std::fmax(most, std::fabs(one));
  printf("largest value %g\n", most);
  cudaFree(onField);
  cudaFree(onSource);
}
