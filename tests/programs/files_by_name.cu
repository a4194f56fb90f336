// runs with: data/input.txt 4 1 2 3 4\n
// runs with: image.pgm P5 2 2 255\nabcd
// expects: exited 0
// expects: launches 1
// expects: asks 50: The program opens missing.txt, which is not available to it: give it a copy with --file missing.txt=PATH.
// expects: asks 53: The program writes out.txt
// expects: asks 55: The program looks for other.txt
// expects: prints 4 numbers, twice their sum is 20
// expects: prints P5 2 2 255 abcd, of 15 bytes
// expects: prints missing.txt: No such file or directory
// expects: prints out.txt is written
// expects: prints again 4
#include <cstdio>
#include <cstring>
#include <fstream>
#include <filesystem>
#include <iostream>
#include <vector>

// Files that the user has named are there, in C and in C++; no other is.

__global__ void twice(float *a, int n) {
  const int i = threadIdx.x;
  if (i < n) a[i] *= 2;
}

int main() {
  std::ifstream in("./data/input.txt");
  int n = 0;
  in >> n;
  std::vector<float> v(n);
  for (float &one : v) in >> one;
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(d, v.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(d, n);
  cudaMemcpy(v.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d);
  float sum = 0;
  for (const float one : v) sum += one;
  std::cout << n << " numbers, twice their sum is " << sum << std::endl;

  char magic[3] = {}, pixels[5] = {};
  int width = 0, height = 0, most = 0;
  if (FILE *image = fopen("image.pgm", "rb")) {
    if (fscanf(image, "%2s %d %d %d", magic, &width, &height, &most) == 4 && fgetc(image) == '\n') fread(pixels, 1, 4, image);
    fseek(image, 0, SEEK_END);
    printf("%s %d %d %d %s, of %ld bytes\n", magic, width, height, most, pixels, ftell(image)), fclose(image);
  }
  if (FILE *none = fopen("missing.txt", "r")) return 1;
  else perror("missing.txt");

  if (FILE *out = fopen("out.txt", "w")) puts("out.txt is written"), fclose(out);
  else return 2;
  if (!std::filesystem::exists("data/input.txt") || std::filesystem::exists("other.txt")) return 3;
  std::ifstream again("data/input.txt");
  again >> n;
  std::cout << "again " << n << std::endl;
}
