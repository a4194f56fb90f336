// A value assigned within an expression is computed once, and not read again.
__global__ void kernel(float* a, float* b, int i) {
  float x = a[i++] = 2.0f;
  float y = b[i++] += x;
  float z = ++a[i--];
  b[0] = a[1] = x + y + z;
}

/* lowered
  kernel kernel
  ...
  code
  Statement 0 Declaration
  %0 = Convert.I32 i
  %1 = Add.I32 %0, 1
  i = Assign.I32 %1
  %2 = Offset a, %0, 4
  Store.F32 [%2], 2.0f a
  x = Assign.F32 2.0f
  Statement 1 Declaration
  %1 = Convert.I32 i
  %0 = Add.I32 %1, 1
  i = Assign.I32 %0
  %2 = Offset b, %1, 4
  %3 = Load.F32 [%2] b
  %4 = Add.F32 %3, x
  Store.F32 [%2], %4 b
  y = Assign.F32 %4
  Statement 2 Declaration
  %0 = Convert.I32 i
  %1 = Sub.I32 %0, 1
  i = Assign.I32 %1
  %2 = Offset a, %0, 4
  %4 = Load.F32 [%2] a
  %3 = Add.F32 %4, 1.0f
  Store.F32 [%2], %3 a
  z = Assign.F32 %3
  Statement 3 Expression
  %3 = Add.F32 x, y
  %4 = Add.F32 %3, z
  %2 = Offset a, 1, 4
  Store.F32 [%2], %4 a
  Store.F32 [b], %4 b
  End
*/
