// runs within: 1 s
// expects: too-long
// expects: prints sweep 0: residual
#include <cstdio>

int main() {
  for (unsigned long sweep = 0;; ++sweep) std::printf("sweep %lu: residual %f\n", sweep, 1.0 / (sweep + 1));
}
