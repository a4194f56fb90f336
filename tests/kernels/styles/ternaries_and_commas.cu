// Choices within expressions, and several things in the head of a loop.
__global__ void choices(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = i > 0 && i <= n ? in[i - 1] : 0.0f, right = i + 1 < n ? in[i + 1] : 0.0f;
  float sum = i < n ? (left > right ? left : in[i] > 0.5f ? in[i] : right) : 0.0f;
  for (int k = 0, m = 8; k < m; ++k, --m) sum += k < n && in[k] > in[m] ? in[k] : 1.0f;
  int a, b;
  for (a = 0, b = 3; a < b; a++, b--) sum = sum + in[a], sum *= 0.5f;
  bool edge = i == 0 || i >= n - 1 || in[i] < 0.0f, inside = !edge && in[i] > 0.25f;
  if (i < n) (edge ? out[i] : out[i]) = inside ? sum : (edge ? -sum : sum + in[i]), sum = 0.0f;
  if (i < n && (sum = out[i]) > 0.0f && (sum += 1.0f) > 1.5f) out[i] = sum;
}
int main() {
  int n = 50;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  choices<<<2, 32>>>(a, b, n);
}
// expects: choices clean 30
