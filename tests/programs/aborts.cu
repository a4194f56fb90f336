// expects: crashed
// expects: launches 0
// expects: prints no filter given
// expects: says aborts
#include <cstdio>
#include <cstdlib>

int main(int argc, char**) {
  if (argc < 2) {
    fprintf(stderr, "no filter given\n");
    abort();  // ends here
  }
}
