// Two harmless sides are a Select; a load or a counted operation runs only in the lanes that select it.
__global__ void kernel(const float* in, float* out, int n) {
  int i = threadIdx.x;
  int left = i > 0 ? i - 1 : 0;
  float ghost = i < n ? in[i] : 0.0f;
  out[left] = i > 2 ? ghost * 2.0f : ghost;
}

/* lowered
  Statement 0 Declaration
  i = Assign.I32 threadIdx.x
  Statement 1 Declaration
  %0 = Greater.I32 i, 0
  %1 = Sub.I32 i, 1
  %2 = Select.I32 %0, %1, 0
  left = Assign.I32 %2
  Statement 2 Declaration
  %0 = Less.I32 i, n
  If %0
    %4 = Offset in, i, 4
    %3 = Load.F32 [%4] in
  Else
    %3 = Assign.F32 0.0f
  EndIf
  ghost = Assign.F32 %3
  Statement 3 Expression
  %0 = Greater.I32 i, 2
  If %0
    %3 = Mul.F32 ghost, 2.0f
    %5 = Assign.F32 %3
  Else
    %5 = Assign.F32 ghost
  EndIf
  %4 = Offset out, left, 4
  Store.F32 [%4], %5 out
*/
