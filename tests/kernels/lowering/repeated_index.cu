// An address or index that a statement writes twice is computed once; floating-point operations as often as written.
__global__ void kernel(const float* in, float* out, int n) {
  __shared__ float tile_s[8][8];
  int i = threadIdx.x;
  int j = threadIdx.y;
  out[i * n + j] = tile_s[j][i - 1] * in[i * n + j] + tile_s[j][i + 1] * in[i * n + j];
}

/* lowered
  Statement 0 Declaration
  i = Assign.I32 threadIdx.x
  Statement 1 Declaration
  j = Assign.I32 threadIdx.y
  Statement 2 Expression
  %0 = Offset &tile_s, j, 32
  %1 = Sub.I32 i, 1
  %2 = Offset %0, %1, 4
  %3 = Load.F32 [%2] tile_s
  %4 = Mul.I32 i, n
  %5 = Add.I32 %4, j
  %6 = Offset in, %5, 4
  %7 = Load.F32 [%6] in
  %8 = Mul.F32 %3, %7
  %9 = Add.I32 i, 1
  %10 = Offset %0, %9, 4
  %11 = Load.F32 [%10] tile_s
  %12 = Load.F32 [%6] in
  %13 = Mul.F32 %11, %12
  %14 = Add.F32 %8, %13
  %15 = Offset out, %5, 4
  Store.F32 [%15], %14 out
*/
