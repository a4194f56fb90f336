__global__ void smooth4(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    float4 v = reinterpret_cast<const float4*>(in)[i];
    float4 w = make_float4(v.x, 0.5f * (v.x + v.y), 0.5f * (v.y + v.z), 0.5f * (v.z + v.w));
    reinterpret_cast<float4*>(out)[i] = w;
  }
}
int main() {
  int n = 4096; float *a, *b;
  cudaMalloc(&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof(float));
  smooth4<<<n / 4 / 64, 64>>>(a, b, n);
}
// expects: smooth4 clean 4000
