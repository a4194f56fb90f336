#include <cooperative_groups.h>
__global__ void k(int* a) {
  cooperative_groups::this_grid().sync();
  a[0] = 1;
}
// error 3:3: unsupported: cooperative_groups::grid_group::sync
