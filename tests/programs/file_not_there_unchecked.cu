// expects: crashed
// expects: says null pointer
// expects: asks 7: The program opens weights.bin
#include <cstdio>

int main() {
  FILE* f = fopen("weights.bin", "rb");
  float w[9];
  fread(w, sizeof(float), 9, f);  // ends here
  fclose(f);
}
