// expects: crashed
// expects: says The stack overflows
#include <cstdio>

double depth(const double* field, int n) {
  volatile double copy[64];
  copy[n & 63] = field[n & 63];
  return copy[n & 63] + depth(field, n + 1);  // ends here
}

int main() {
  double field[64] = {1.0};
  printf("%f\n", depth(field, 0));
}
