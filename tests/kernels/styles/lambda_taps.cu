// Lambdas that read arrays of the kernel around them.
__global__ void taps(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  auto at = [&](int k) { return k >= 0 && k < n ? in[k] : 0.0f; };
  auto add = [&sum](float w, float v) { sum += w * v; };
  auto clamp = [=](float v) -> float {
    if (v < 0.0f) return 0.0f;
    return v > 1.0f ? 1.0f : v;
  };
  if (i >= n) return;
  add(0.25f, at(i - 1));
  add(0.5f, at(i));
  add(0.25f, at(i + 1));
  out[i] = clamp(sum) + 1.0f;
}
int main() {
  int n = 60;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  taps<<<2, 32>>>(a, b, n);
}
// expects: taps clean 60
