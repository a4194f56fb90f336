// Lanes that return early wait at the end of the call with their value.
__device__ float limited(float value, float limit) {
  if (value > limit) return limit;
  return value;
}

__global__ void kernel(float* out) {
  out[0] = limited(out[1], 8.0f);
}

/* lowered
  Statement 0 Expression
  %0 = Offset out, 1, 4
  %1 = Load.F32 [%0] out
  Call limited
    value = Assign.F32 %1
    limit = Assign.F32 8.0f
    Statement 1 Condition
    %2 = Greater.F32 value, limit
    If %2
      Statement 2 Return
      %1 = Assign.F32 limit
      Return
    EndIf
    Statement 3 Return
    %1 = Assign.F32 value
  EndCall
  Statement 0 Expression
  Store.F32 [out], %1 out
*/
