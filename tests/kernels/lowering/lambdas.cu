// A capture by reference sees the variable as it is, one by copy as it was.
__global__ void kernel(float* out, int n) {
  float sum = 0.0f;
  int scale = n;
  auto add = [&sum, scale](float value) { sum += value * scale; };
  scale = 7;
  add(out[0]);
  out[scale] = sum;
}
