// The object behind a pointer is known as long as everything assigned to it comes from one array.
__global__ void kernel(const float* in, const float* other, float* out, int n) {
  const float* row = in + threadIdx.x * n;
  row += 2;
  float sum = row[1];
  sum += *row++;
  const float* either = n > 4 ? in : other;
  sum += either[-1];
  const float* end = in + n;
  out[end - row] = sum - end[-1];
  if (row != nullptr && end) out[0] = *(&in[3] - n);
}

/* lowered
  Statement 0 Declaration
  %0 = Mul.U32 threadIdx.x, n
  %1 = Offset in, %0, 4
  row = Assign.Pointer %1
  Statement 1 Expression
  %1 = Offset row, 2, 4
  row = Assign.Pointer %1
  Statement 2 Declaration
  %1 = Offset row, 1, 4
  sum = Load.F32 [%1] in
  Statement 3 Expression
  %1 = Convert.Pointer row
  %2 = Offset %1, 1, 4
  row = Assign.Pointer %2
  %3 = Load.F32 [%1] in
  %4 = Add.F32 sum, %3
  sum = Assign.F32 %4
  Statement 4 Declaration
  %5 = Greater.I32 n, 4
  %2 = Select.Pointer %5, in, other
  either = Assign.Pointer %2
  Statement 5 Expression
  %2 = Offset either, -1, 4
  %4 = Load.F32 [%2] unknown
  %3 = Add.F32 sum, %4
  sum = Assign.F32 %3
  Statement 6 Declaration
  %2 = Offset in, n, 4
  end = Assign.Pointer %2
  Statement 7 Expression
  %2 = Offset end, -1, 4
  %3 = Load.F32 [%2] in
  %4 = Sub.F32 sum, %3
  %6 = PointerDifference end, row, 4
  %1 = Offset out, %6, 4
  Store.F32 [%1], %4 out
  Statement 8 Condition
  %5 = NotEqual.Pointer row, null
  %7 = NotEqual.Pointer end, null
  %8 = And.Bool %5, %7
  If %8
    Statement 9 Expression
    %1 = Offset in, 3, 4
    %9 = Negate.I32 n
    %2 = Offset %1, %9, 4
    %4 = Load.F32 [%2] in
    Store.F32 [out], %4 out
  EndIf
*/
