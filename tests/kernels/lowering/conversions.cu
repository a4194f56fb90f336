// Each implicit conversion of C++ is there; one that changes no bits of the register costs no instruction.
__global__ void kernel(float* out, const unsigned char* pixels, size_t stride, int row, short offset) {
  float mean = pixels[row * stride] / 255;
  double exact = 0.5 * mean;
  char narrow = row;
  narrow += 3;
  bool odd = row & 1;
  unsigned bits = row;
  long long wide = bits;
  out[offset] = exact + narrow + odd + wide;
}

/* lowered
  Statement 0 Declaration
  %0 = Convert.U64 row
  %1 = Mul.U64 %0, stride
  %2 = Offset pixels, %1, 1
  %3 = Load.U8 [%2] pixels
  %4 = Div.I32 %3, 255
  %5 = Convert.F32 %4
  mean = Assign.F32 %5
  Statement 1 Declaration
  %6 = Convert.F64 mean
  %7 = Mul.F64 0.5, %6
  exact = Assign.F64 %7
  Statement 2 Declaration
  %8 = Convert.I8 row
  narrow = Assign.I8 %8
  Statement 3 Expression
  %4 = Add.I32 narrow, 3
  %8 = Convert.I8 %4
  narrow = Assign.I8 %8
  Statement 4 Declaration
  %4 = And.I32 row, 1
  %9 = NotEqual.I32 %4, 0
  odd = Assign.Bool %9
  Statement 5 Declaration
  bits = Assign.U32 row
  Statement 6 Declaration
  %10 = Convert.I64 bits
  wide = Assign.I64 %10
  Statement 7 Expression
  %7 = Convert.F64 narrow
  %6 = Add.F64 exact, %7
  %11 = Convert.F64 odd
  %12 = Add.F64 %6, %11
  %13 = Convert.F64 wide
  %14 = Add.F64 %12, %13
  %5 = Convert.F32 %14
  %2 = Offset out, offset, 4
  Store.F32 [%2], %5 out
*/
