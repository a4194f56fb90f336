// Integer arithmetic on constants is done while lowering, floating-point arithmetic is not.
enum Border { kKeep, kWrap = 5 };
__device__ constexpr int square(int x) { return x * x; }

__global__ void kernel(float* out) {
  const int radius = 3;
  constexpr float half = 0.5f;
  out[square(radius) + kWrap - sizeof(float) * 2] = 2.0f * half + -1.0f;
  if (radius > 4) out[0] = 1.0f;
}
