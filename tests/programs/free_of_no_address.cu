// expects: crashed
// expects: launches 0
// expects: says free() is given an address that no allocation returned
#include <cstdlib>

struct Grid {
  float* values;
  double spacing;
};

int main() {
  Grid grid{};
  grid.spacing = -0.125;
  __builtin_memcpy(&grid.values, &grid.spacing, sizeof grid.values);
  free(grid.values);  // finds: invalid-free // ends here
}
