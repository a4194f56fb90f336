// expects: rejected
// expects: launches 0
// expects: problem loadImage(char const*)
#include <cstdio>

float* loadImage(const char* name);

int main() {
  float* image = loadImage("a.pgm");
  std::printf("%f\n", image[0]);
}
