// options: -DRADIUS=2
// Instructions of a macro point at where it is used.
#define TILE (2 * RADIUS + 1)
#define AT(i, j) ((i) * TILE + (j))

__global__ void kernel(const float* in, float* out) {
  out[AT(threadIdx.y, RADIUS)] = in[AT(threadIdx.y, threadIdx.x)];
}

/* lowered
  Statement 0 Expression
  %0 = Mul.U32 threadIdx.y, 5u
  %1 = Add.U32 %0, threadIdx.x
  %2 = Offset in, %1, 4
  %3 = Load.F32 [%2] in
  %4 = Add.U32 %0, 2u
  %5 = Offset out, %4, 4
  Store.F32 [%5], %3 out
*/
