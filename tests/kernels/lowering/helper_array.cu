// A shared tile passed on as a pointer to its rows, and as a reference.
__device__ void fill(float (*tile)[8], int row) {
  tile[row][threadIdx.x] = 1.0f;
  __syncthreads();
}
__device__ float corner(float (&tile)[4][8]) {
  return tile[3][7];
}

__global__ void kernel(float* out) {
  __shared__ float tile_s[4][8];
  for (int row = 0; row < 4; ++row) {
    fill(tile_s, row);
  }
  out[threadIdx.x] = corner(tile_s);
}

/* lowered
  Statement 0 LoopInit
  row = Assign.I32 0
  Loop 0
    Statement 1 LoopCondition
    %0 = Less.I32 row, 4
    LoopTest %0
    Statement 2 Expression
    Call fill
      tile = Assign.Pointer &tile_s
      row.2 = Assign.I32 row
      Statement 3 Expression
      %1 = Offset tile, row.2, 32
      %2 = Offset %1, threadIdx.x, 4
      Store.F32 [%2], 1.0f tile_s
      Statement 4 Barrier
      Barrier
    EndCall
    LoopNext
    Statement 5 LoopIncrement
    %3 = Add.I32 row, 1
    row = Assign.I32 %3
    LoopBack
  EndLoop
  Statement 6 Expression
  Call corner
    Statement 7 Return
    %4 = Load.F32 [&tile_s+124] tile_s
  EndCall
  Statement 6 Expression
  %2 = Offset out, threadIdx.x, 4
  Store.F32 [%2], %4 out
*/
