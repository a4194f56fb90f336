// expects: exited 1
// expects: launches 0
// expects: prints cannot open lena.pgm
// expects: asks 16: The program opens lena.pgm
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

__global__ void threshold(unsigned char* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = p[i] > 127 ? 255 : 0;
}

int main() {
  std::ifstream file("lena.pgm", std::ios::binary);
  if (!file) {
    std::cerr << "cannot open lena.pgm" << std::endl;
    return 1;
  }
  std::string magic;
  int w, h, most;
  file >> magic >> w >> h >> most;
  std::vector<unsigned char> pixels(w * h);
  file.read(reinterpret_cast<char*>(pixels.data()), pixels.size());
  threshold<<<(w * h + 255) / 256, 256>>>(pixels.data(), w * h);
}
