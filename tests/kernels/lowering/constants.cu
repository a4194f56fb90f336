// Integer arithmetic on constants is done while lowering, floating-point arithmetic is not.
enum Border { kKeep, kWrap = 5 };
__device__ constexpr int square(int x) { return x * x; }

__global__ void kernel(float* out) {
  const int radius = 3;
  constexpr float half = 0.5f;
  out[square(radius) + kWrap - sizeof(float) * 2] = 2.0f * half + -1.0f;
  if (radius > 4) out[0] = 1.0f;
}

/* lowered
  Statement 0 Declaration
  radius = Assign.I32 3
  Statement 1 Declaration
  half = Assign.F32 0.5f
  Statement 2 Expression
  %0 = Mul.F32 2.0f, 0.5f
  %1 = Add.F32 %0, -1.0f
  %2 = Offset out, 6ul, 4
  Store.F32 [%2], %1 out
  Statement 3 Condition
*/
