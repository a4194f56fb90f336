// Device functions called in one branch of a choice.
__device__ float twice(float x) {
  float y = x;
  y += x;
  return y;
}
__device__ bool inside(int i, int n) {
  bool after = i > 0;
  return after && i < n - 1;
}
__global__ void chosen(const float* in, float* out, int n) {
  __shared__ float tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? twice(in[i]) : 0.0f;
  __syncthreads();
  if (i >= n) return;
  float sum = inside(i, n) ? twice(tile[threadIdx.x]) : tile[threadIdx.x];
  sum += i % 2 == 0 && inside(i, n) && tile[31] > 0.0f ? twice(sum) : 1.0f;
  out[i] = sum > 1.0f ? sum : twice(sum) + twice(in[i]);
}
int main() {
  int n = 60;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  chosen<<<2, 32>>>(a, b, n);
}
// expects: chosen clean 60
// stepping: chosen refused only some threads call a function, and what the others do is unknown
