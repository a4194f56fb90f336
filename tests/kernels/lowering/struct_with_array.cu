struct Window { float value[3]; int filled; };
__global__ void kernel(const float* in, float* out, int n) {
  Window w;
  w.filled = 0;
  w.value[n] = in[n];
  Window copy = w;
  out[0] = copy.value[1] + copy.filled;
}

/* lowered
  object w.value[3] F32 Local
  object copy.value[3] F32 Local
  ...
  w.filled = Assign.I32 0
  ...
  Store.F32 [%2], %1 w.value
  ...
  Store.F32 [&copy.value], %1 copy.value
  Store.F32 [&copy.value+4], %3 copy.value
  Store.F32 [&copy.value+8], %4 copy.value
  copy.filled = Assign.I32 w.filled
*/
