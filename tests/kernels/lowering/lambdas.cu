// A capture by reference sees the variable as it is, one by copy as it was.
__global__ void kernel(float* out, int n) {
  float sum = 0.0f;
  int scale = n;
  auto add = [&sum, scale](float value) { sum += value * scale; };
  scale = 7;
  add(out[0]);
  out[scale] = sum;
}

/* lowered
  variable out Pointer
  variable n I32
  variable sum F32
  variable scale I32
  variable scale.2 I32
  variable value F32 of lambda
  ...
  Statement 0 Declaration
  sum = Assign.F32 0.0f
  Statement 1 Declaration
  scale = Assign.I32 n
  Statement 2 Declaration
  scale.2 = Assign.I32 scale
  Statement 3 Expression
  scale = Assign.I32 7
  Statement 4 Expression
  %0 = Load.F32 [out] out
  Call lambda
    value = Assign.F32 %0
    Statement 5 Expression
    %0 = Convert.F32 scale.2
    %1 = Mul.F32 value, %0
    %2 = Add.F32 sum, %1
    sum = Assign.F32 %2
  EndCall
  Statement 6 Expression
  %3 = Offset out, scale, 4
  Store.F32 [%3], sum out
*/
