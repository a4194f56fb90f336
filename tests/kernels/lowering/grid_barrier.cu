#include <cooperative_groups.h>
__global__ void kernel(int* a) {
  a[0] = 1;
  __threadfence();
  cooperative_groups::this_grid().sync();
  __threadfence_block();
}

/* lowered
  kernel kernel
  ...
  Fence device
  ...
  Barrier Grid
  ...
  Fence block
*/
