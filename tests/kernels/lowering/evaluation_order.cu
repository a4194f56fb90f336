// A value that is still needed is copied before an increment changes its variable.
__global__ void kernel(int* out, int i) {
  out[i++] = i;
  out[0] = i++ << i;
  int previous = --i;
  previous += previous++;
}

/* lowered
  Statement 0 Expression
  %0 = Convert.I32 i
  %1 = Convert.I32 i
  %2 = Add.I32 %1, 1
  i = Assign.I32 %2
  %3 = Offset out, %1, 4
  Store.I32 [%3], %0 out
  Statement 1 Expression
  %2 = Convert.I32 i
  %1 = Add.I32 %2, 1
  i = Assign.I32 %1
  %0 = Shl.I32 %2, i
  Store.I32 [out], %0 out
  Statement 2 Declaration
  %0 = Sub.I32 i, 1
  i = Assign.I32 %0
  previous = Assign.I32 i
  Statement 3 Expression
  %0 = Convert.I32 previous
  %1 = Add.I32 %0, 1
  previous = Assign.I32 %1
  %2 = Add.I32 previous, %0
  previous = Assign.I32 %2
*/
