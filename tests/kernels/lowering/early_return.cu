__global__ void kernel(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = 1.0f;
  return;
}

/* lowered
  Statement 0 Declaration
  %0 = Mul.U32 blockIdx.x, blockDim.x
  %1 = Add.U32 %0, threadIdx.x
  i = Assign.I32 %1
  Statement 1 Condition
  %2 = GreaterEqual.I32 i, n
  If %2
    Statement 2 Return
    Return
  EndIf
  Statement 3 Expression
  %3 = Offset out, i, 4
  Store.F32 [%3], 1.0f out
  Statement 4 Return
*/
