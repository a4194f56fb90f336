struct Cell { float a; short b; double c; };
__constant__ Cell table[2] = {{1.0f, 2, 3.0}, {0.5f, -1, 0.25}};
__global__ void kernel(float* out) {
  __shared__ Cell tile[4][8];
  Cell own[3];
  tile[1][threadIdx.x].c = table[threadIdx.y].c;
  own[threadIdx.x] = tile[0][2];
  out[0] = own[1].a + own[2].b;
}

/* lowered
  kernel kernel
  ...
  object tile[4][8][8] U16 Shared
  object own[3][8] U16 Local
  object table[2][8] U16 Constant read-only = 0u, 16256u, 2u, 0u, 0u, 0u, 0u, 16392u, 0u, 16128u, 65535u, 0u, 0u, 0u, 0u, 16336u
  ...
  %6 = Load.I16 [&tile+36] tile
*/
