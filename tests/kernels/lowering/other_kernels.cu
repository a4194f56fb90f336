// options: -kernel=simple
// The header that defines TILE is not there; only the kernel that needs it is lost.
#include "stencil.h"

__device__ float scaled(float value) { return value * TILE; }

__global__ void tiled(float* out) {
  __shared__ float tile_s[TILE];
  out[threadIdx.x] = tile_s[threadIdx.x];
}

__global__ void simple(float* out) {
  out[threadIdx.x] = 1.0f;
}

/* lowered
  Statement 0 Expression
  %0 = Offset out, threadIdx.x, 4
  Store.F32 [%0], 1.0f out
*/
