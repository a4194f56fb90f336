// Each element is converted to the array's type.
__global__ void kernel(float* a, int i) {
  float weights[3] = {1, (float)i, 0.5};
  unsigned char counts[2] = {0, 7};
  a[i] = weights[i] + counts[i];
}

/* lowered
  kernel kernel
  ...
  code
  Statement 0 Declaration
  Store.F32 [&weights], 1.0f weights
  %0 = Convert.F32 i
  Store.F32 [&weights+4], %0 weights
  Store.F32 [&weights+8], 0.5f weights
  Statement 1 Declaration
  Store.U8 [&counts], 0u counts
  Store.U8 [&counts+1], 7u counts
  Statement 2 Expression
  %1 = Offset &weights, i, 4
  %0 = Load.F32 [%1] weights
  %2 = Offset &counts, i, 1
  %3 = Load.U8 [%2] counts
  %4 = Convert.F32 %3
  %5 = Add.F32 %0, %4
  %6 = Offset a, i, 4
  Store.F32 [%6], %5 a
  End
*/
