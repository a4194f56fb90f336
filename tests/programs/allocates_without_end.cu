// expects: uncaught
// expects: says std::bad_alloc
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void nothing(float*) {}

int main() {
  std::vector<float*> all;
  for (size_t total = 0;; total += 256) {
    float* more = new float[64 << 20];  // ends here
    more[0] = 1;
    all.push_back(more);
  }
}
