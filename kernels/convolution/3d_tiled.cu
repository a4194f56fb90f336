/* haloscope
title: 3D tile, block as large as the input tile
book: PMPP 4e, section 7.4, exercise 10
idea: In 3D most of a small tile is halo; with an 8³ tile and radius 2 only 64 of 512 threads compute an output.
extends: convolution/3d_constant
order: 32
sizes:
  width: {default: 24, min: 1, max: 1024, meaning: volume elements along x}
  height: {default: 20, min: 1, max: 1024, meaning: volume elements along y}
  depth: {default: 16, min: 1, max: 1024, meaning: volume elements along z}
tunables:
  FILTER_RADIUS: {default: 1, min: 1, max: 2, meaning: filter elements on each side of the centre}
  IN_TILE_DIM: {default: 8, min: 3, max: 10, meaning: edge of the input tile}
requires: [IN_TILE_DIM > 2 * FILTER_RADIUS]
arrays:
  in: {shape: [depth, height, width]}
  out: {shape: [depth, height, width]}
  filter: {shape: [2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1, 2 * FILTER_RADIUS + 1]}
launch:
  grid: [ceil(width / (IN_TILE_DIM - 2 * FILTER_RADIUS)), ceil(height / (IN_TILE_DIM - 2 * FILTER_RADIUS)), ceil(depth / (IN_TILE_DIM - 2 * FILTER_RADIUS))]
  block: [IN_TILE_DIM, IN_TILE_DIM, IN_TILE_DIM]
computes:
  output: out
  input: in
  weights: filter
  window: [FILTER_RADIUS, FILTER_RADIUS, FILTER_RADIUS]
  border: ghost cells are zero
op_per_byte: (IN_TILE_DIM - 2 * FILTER_RADIUS)^3 * (2 * FILTER_RADIUS + 1)^3 * 2 / (IN_TILE_DIM^3 * 4)
*/
#ifndef FILTER_RADIUS
#define FILTER_RADIUS 1
#endif
#ifndef IN_TILE_DIM
#define IN_TILE_DIM 8
#endif
#define FILTER_DIM (2 * FILTER_RADIUS + 1)
#define OUT_TILE_DIM (IN_TILE_DIM - 2 * FILTER_RADIUS)

__constant__ float filter[FILTER_DIM][FILTER_DIM][FILTER_DIM];

__global__ void convolution(const float* in, float* out, int width, int height, int depth) {
  __shared__ float in_s[IN_TILE_DIM][IN_TILE_DIM][IN_TILE_DIM];

  int plane = blockIdx.z * OUT_TILE_DIM + threadIdx.z - FILTER_RADIUS;
  int row = blockIdx.y * OUT_TILE_DIM + threadIdx.y - FILTER_RADIUS;
  int col = blockIdx.x * OUT_TILE_DIM + threadIdx.x - FILTER_RADIUS;
  bool inVolume = plane >= 0 && plane < depth && row >= 0 && row < height && col >= 0 && col < width;

  if (inVolume) {
    in_s[threadIdx.z][threadIdx.y][threadIdx.x] = in[(plane * height + row) * width + col];
  } else {
    in_s[threadIdx.z][threadIdx.y][threadIdx.x] = 0.0f;
  }
  __syncthreads();

  int tilePlane = threadIdx.z - FILTER_RADIUS;
  int tileRow = threadIdx.y - FILTER_RADIUS;
  int tileCol = threadIdx.x - FILTER_RADIUS;
  bool inOutTile = tilePlane >= 0 && tilePlane < OUT_TILE_DIM && tileRow >= 0 && tileRow < OUT_TILE_DIM &&
                   tileCol >= 0 && tileCol < OUT_TILE_DIM;
  if (inVolume && inOutTile) {
    float sum = 0.0f;
    for (int filterPlane = 0; filterPlane < FILTER_DIM; ++filterPlane) {
      for (int filterRow = 0; filterRow < FILTER_DIM; ++filterRow) {
        for (int filterCol = 0; filterCol < FILTER_DIM; ++filterCol) {
          sum += filter[filterPlane][filterRow][filterCol] *
                 in_s[tilePlane + filterPlane][tileRow + filterRow][tileCol + filterCol];
        }
      }
    }
    out[(plane * height + row) * width + col] = sum;
  }
}
