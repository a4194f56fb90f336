// Both values are read before either is written.
__global__ void kernel(float* out) {
  float2 pair = {out[0], out[1]};
  pair = make_float2(pair.y, pair.x);
  float* a = out;
  float* b = out + 8;
  std::swap(a, b);
  a[0] = pair.x;
}
