// expects: lacks-input
// expects: launches 1
// expects: says The program opens rod.txt, which is not available to it: give it a copy with --file rod.txt=PATH.
// expects: asks 17: The program opens rod.txt
#include <cstdio>
#include <fstream>
#include <vector>

__global__ void heat(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) { out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1]; }
}

int main() {
  int n = 0;
  // The size is what the file holds, and 0 without it: the empty launch is no mistake of the program.
  std::ifstream file("rod.txt");
  file >> n;
  std::vector<float> rod(n);
  for (float& v : rod) { file >> v; }
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(in, rod.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(out, rod.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  heat<<<(n + 255) / 256, 256>>>(in, out, n);  // fails: The grid 0×1×1 has no blocks
  cudaMemcpy(rod.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}
