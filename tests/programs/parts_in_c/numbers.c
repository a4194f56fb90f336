#include <stdlib.h>

int *numbers(int n) {
  int new = n, *all = malloc(new * sizeof *all);
  for (int i = 0; i < new; ++i) all[i] = i;
  return all;
}
