// expects: crashed
// expects: says null pointer
#include <cstdio>

int main() {
  FILE* f = fopen("weights.bin", "rb");
  float w[9];
  fread(w, sizeof(float), 9, f);  // ends here
  fclose(f);
}
