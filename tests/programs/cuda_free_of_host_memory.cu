// expects: exited 0
// expects: launches 0
#include <cstdlib>

int main() {
  float* h = (float*)malloc(64);
  cudaFree(h);  // finds: invalid-free
  free(h);
}
