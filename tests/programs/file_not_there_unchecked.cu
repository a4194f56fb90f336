// expects: lacks-input
// expects: says The program opens weights.bin, which is not available to it: give it a copy with --file weights.bin=PATH.
// expects: asks 7: The program opens weights.bin
#include <cstdio>

int main() {
  FILE* f = fopen("weights.bin", "rb");
  float w[9];
  fread(w, sizeof(float), 9, f);  // ends here
  fclose(f);
}
