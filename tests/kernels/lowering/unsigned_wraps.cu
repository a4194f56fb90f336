// threadIdx.x is unsigned: at thread 0 the difference is the largest number, and int N is compared as unsigned.
__global__ void kernel(float* out, int N) {
  if (threadIdx.x - 1 < N) {
    out[threadIdx.x - 1] = 1.0f;
  }
  int i = threadIdx.x;
  if (i - 1 < N) {
    out[i - 1] = 2.0f;
  }
}

/* lowered
  Statement 0 Condition
  %0 = Sub.U32 threadIdx.x, 1u
  %1 = Less.U32 %0, N
  If %1
    Statement 1 Expression
    %0 = Sub.U32 threadIdx.x, 1u
    %2 = Offset out, %0, 4
    Store.F32 [%2], 1.0f out
  EndIf
  Statement 2 Declaration
  i = Assign.I32 threadIdx.x
  Statement 3 Condition
  %3 = Sub.I32 i, 1
  %1 = Less.I32 %3, N
  If %1
    Statement 4 Expression
    %3 = Sub.I32 i, 1
    %2 = Offset out, %3, 4
    Store.F32 [%2], 2.0f out
  EndIf
*/
