// The OpenCL twins of kernels/stencil/basic.cu and kernels/stencil/tiled.cu, for a comparison with Oclgrind: the same
// loads, stores, guards and barrier, thread for thread.

#define OUT_TILE_DIM (IN_TILE_DIM - 2)

__kernel void basic(__global const float* in, __global float* out, __constant float* c, int N) {
  int i = get_group_id(2) * get_local_size(2) + get_local_id(2);
  int j = get_group_id(1) * get_local_size(1) + get_local_id(1);
  int k = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1) {
    out[(i * N + j) * N + k] = c[0] * in[(i * N + j) * N + k] + c[1] * in[(i * N + j) * N + (k - 1)] +
                               c[2] * in[(i * N + j) * N + (k + 1)] + c[3] * in[(i * N + (j - 1)) * N + k] +
                               c[4] * in[(i * N + (j + 1)) * N + k] + c[5] * in[((i - 1) * N + j) * N + k] +
                               c[6] * in[((i + 1) * N + j) * N + k];
  }
}

__kernel void tiled(__global const float* in, __global float* out, __constant float* c, int N) {
  __local float in_s[IN_TILE_DIM][IN_TILE_DIM][IN_TILE_DIM];
  int tz = get_local_id(2);
  int ty = get_local_id(1);
  int tx = get_local_id(0);
  int i = (int)get_group_id(2) * OUT_TILE_DIM + tz - 1;
  int j = (int)get_group_id(1) * OUT_TILE_DIM + ty - 1;
  int k = (int)get_group_id(0) * OUT_TILE_DIM + tx - 1;
  if (i >= 0 && i < N && j >= 0 && j < N && k >= 0 && k < N) { in_s[tz][ty][tx] = in[(i * N + j) * N + k]; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1) {
    if (tz >= 1 && tz < IN_TILE_DIM - 1 && ty >= 1 && ty < IN_TILE_DIM - 1 && tx >= 1 && tx < IN_TILE_DIM - 1) {
      out[(i * N + j) * N + k] = c[0] * in_s[tz][ty][tx] + c[1] * in_s[tz][ty][tx - 1] +
                                 c[2] * in_s[tz][ty][tx + 1] + c[3] * in_s[tz][ty - 1][tx] +
                                 c[4] * in_s[tz][ty + 1][tx] + c[5] * in_s[tz - 1][ty][tx] +
                                 c[6] * in_s[tz + 1][ty][tx];
    }
  }
}
