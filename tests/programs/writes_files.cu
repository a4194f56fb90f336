// expects: exited 0
// expects: launches 1
// expects: asks 26: The program writes out:
// expects: asks 27: The program writes out/heat.csv: what it writes goes nowhere, and no file is made.
// expects: asks 32: The program writes heat.ppm
// expects: asks 37: The program writes all.bin
// expects: asks 43: The program writes frame0.pgm
// expects: asks 43: The program writes frame1.pgm
// expects: asks 43: The program writes frame2.pgm
// expects: prints 3 files
#include <cstdio>
#include <filesystem>
#include <fstream>

// What a program writes to files goes nowhere, and that is no fault of it.

__global__ void twice(float *a) { a[threadIdx.x] = 2 * threadIdx.x; }

int main() {
  float *d, h[32];
  cudaMalloc(&d, sizeof h);
  twice<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  int files = 0;
  std::filesystem::create_directories("out");
  FILE *csv = fopen("out/heat.csv", "w");
  for (int i = 0; i < 10000; ++i) fprintf(csv, "%d,%f\n", i, h[i % 32]);
  fflush(csv);
  files += fclose(csv) == 0;
  {
    std::ofstream image("heat.ppm", std::ios::binary);
    image << "P5 32 1 255\n";
    image.write(reinterpret_cast<const char *>(h), sizeof h);
    files += image.good();
  }
  FILE *all = fopen("all.bin", "wb+");
  fwrite(h, sizeof h, 1, all);
  files += fclose(all) == 0;
  for (int frame = 0; frame < 1000; ++frame) {
    char name[32];
    snprintf(name, sizeof name, "frame%d.pgm", frame % 3);
    FILE *one = fopen(name, "ab");
    if (!one) return 1;
    fclose(one);
  }
  remove("out/heat.csv");
  if (rename("all.bin", "old.bin") == 0) return 2;
  std::filesystem::remove("heat.ppm");
  printf("%d files\n", files);
}
