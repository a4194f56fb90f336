// Both values are read before either is written.
__global__ void kernel(float* out) {
  float2 pair = {out[0], out[1]};
  pair = make_float2(pair.y, pair.x);
  float* a = out;
  float* b = out + 8;
  std::swap(a, b);
  a[0] = pair.x;
}

/* lowered
  Statement 0 Declaration
  pair.x = Load.F32 [out] out
  %0 = Offset out, 1, 4
  pair.y = Load.F32 [%0] out
  Statement 1 Expression
  %1 = Convert.F32 pair.x
  pair.x = Assign.F32 pair.y
  pair.y = Assign.F32 %1
  Statement 2 Declaration
  a = Assign.Pointer out
  Statement 3 Declaration
  %0 = Offset out, 8, 4
  b = Assign.Pointer %0
  Statement 4 Expression
  %0 = Assign.Pointer a
  a = Assign.Pointer b
  b = Assign.Pointer %0
  Statement 5 Expression
  Store.F32 [a], pair.x out
*/
