__global__ void saxpy_like(const float* a, const float* b, float* out, size_t n, float alpha) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    out[i] = alpha * a[i] + b[i];
}
// expects: saxpy_like clean 1000
