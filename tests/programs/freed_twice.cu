// expects: exited 0
// expects: launches 0
#include <cstdlib>

struct Buffer {
  float* data;
  explicit Buffer(int n) { cudaMalloc(&data, n * sizeof(float)); }
  ~Buffer() { cudaFree(data); }  // finds: freed-twice
};

int main() {
  Buffer a(100);
  Buffer b = a;  // a copy of the pointer: both destructors free it
  float* h = (float*)malloc(100);
  cudaFree(h);         // finds: invalid-free
  cudaFree(b.data + 1);  // finds: invalid-free
  free(h);
  return 0;
}
