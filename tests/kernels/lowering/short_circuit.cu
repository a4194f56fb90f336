// The right side's effects decide: a load must not happen in lanes excluded by the left side.
__global__ void kernel(const float* in, float* out, int n) {
  int i = threadIdx.x;
  if (i >= 1 && i < n) out[i] = 1.0f;
  if (i < n && in[i] > 0.0f) out[i] = 2.0f;
  if (i >= n || in[i] > 0.0f) out[0] = 3.0f;
}

/* lowered
  Statement 0 Declaration
  i = Assign.I32 threadIdx.x
  Statement 1 Condition
  %0 = GreaterEqual.I32 i, 1
  %1 = Less.I32 i, n
  %2 = And.Bool %0, %1
  If %2
    Statement 2 Expression
    %3 = Offset out, i, 4
    Store.F32 [%3], 1.0f out
  EndIf
  Statement 3 Condition
  %2 = Less.I32 i, n
  %1 = Assign.Bool %2
  If %1
    %3 = Offset in, i, 4
    %4 = Load.F32 [%3] in
    %0 = Greater.F32 %4, 0.0f
    %1 = Assign.Bool %0
  EndIf
  If %1
    Statement 4 Expression
    %3 = Offset out, i, 4
    Store.F32 [%3], 2.0f out
  EndIf
  Statement 5 Condition
  %0 = GreaterEqual.I32 i, n
  %1 = Assign.Bool %0
  %2 = LogicalNot.Bool %1
  If %2
    %3 = Offset in, i, 4
    %4 = Load.F32 [%3] in
    %5 = Greater.F32 %4, 0.0f
    %1 = Assign.Bool %5
  EndIf
  If %1
    Statement 6 Expression
    Store.F32 [out], 3.0f out
  EndIf
*/
