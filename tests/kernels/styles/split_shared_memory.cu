// One piece of dynamic shared memory, cut into arrays of two types.
__global__ void split(const float* in, float* out, int n) {
  extern __shared__ float memory[];
  float* values = memory;
  float* halo = values + blockDim.x;
  int* flags = (int*)&halo[2];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  values[t] = i < n ? in[i] : 0.0f;
  flags[t] = i < n;
  if (t == 0) {
    halo[0] = i > 0 ? in[i - 1] : 0.0f;
    halo[1] = i + (int)blockDim.x < n ? in[i + blockDim.x] : 0.0f;
  }
  __syncthreads();
  if (!flags[t]) return;
  float left = t == 0 ? halo[0] : values[t - 1];
  float right = t == blockDim.x - 1 ? halo[1] : values[t + 1];
  out[i] = left + values[t] + right;
}
int main() {
  int n = 100, threads = 32;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  split<<<4, threads, (threads + 2) * sizeof(float) + threads * sizeof(int)>>>(a, b, n);
}
// expects: split clean 100
