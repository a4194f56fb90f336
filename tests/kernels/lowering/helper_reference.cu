// A reference is another name for the caller's register; a pointer needs the variable in memory.
__device__ void advance(float& value, int* count) {
  value += 1.0f;
  *count = *count + 1;
}

__global__ void kernel(float* out) {
  float value = 0.0f;
  int count = 0;
  advance(value, &count);
  out[count] = value;
}

/* lowered
  Statement 0 Declaration
  value = Assign.F32 0.0f
  Statement 1 Declaration
  Store.I32 [&count], 0 count
  Statement 2 Expression
  Call advance
    count = Assign.Pointer &count
    Statement 3 Expression
    %0 = Add.F32 value, 1.0f
    value = Assign.F32 %0
    Statement 4 Expression
    %1 = Load.I32 [count] count
    %2 = Add.I32 %1, 1
    Store.I32 [count], %2 count
  EndCall
  Statement 5 Expression
  %2 = Load.I32 [&count] count
  %3 = Offset out, %2, 4
  Store.F32 [%3], value out
*/
