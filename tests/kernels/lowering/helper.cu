// A helper is inlined at each call: parameters and locals of its own, a frame, its own statements.
__device__ int clampIndex(int i, int n) {
  int last = n - 1;
  return i > last ? last : i;
}

__global__ void kernel(const float* in, float* out, int n) {
  int i = threadIdx.x;
  out[i] = in[clampIndex(i + 1, n)];
}

/* lowered
  variable in Pointer
  variable out Pointer
  variable n I32
  variable i I32
  variable i.2 I32 of clampIndex
  variable n.2 I32 of clampIndex
  variable last I32 of clampIndex
  function 0 kernel
  function 1 clampIndex
  ...
  Statement 0 Declaration
  i = Assign.I32 threadIdx.x
  Statement 1 Expression
  %0 = Add.I32 i, 1
  Call clampIndex
    i.2 = Assign.I32 %0
    n.2 = Assign.I32 n
    Statement 2 Declaration
    %0 = Sub.I32 n.2, 1
    last = Assign.I32 %0
    Statement 3 Return
    %1 = Greater.I32 i.2, last
    %0 = Select.I32 %1, last, i.2
  EndCall
  Statement 1 Expression
  %2 = Offset in, %0, 4
  %3 = Load.F32 [%2] in
  %4 = Offset out, i, 4
  Store.F32 [%4], %3 out
*/
