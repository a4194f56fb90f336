// Types that the compiler finds, names for elements, and what follows from them.
__global__ void named(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[34];
  const auto i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto t = threadIdx.x + 1;
  auto& mine = tile[t];
  mine = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[0] = tile[33] = 0.0f;
  __syncthreads();
  const auto* const __restrict__ source = in;
  const float &left = tile[t - 1], &right = tile[t + 1];
  float taps[3] = {left, mine, right};
  float& middle = taps[1];
  middle += left;
  middle *= 2.0f;
  auto sum = 0.0f;
  for (auto k = 0u; k < 3u; ++k) {
    const auto& tap = taps[k];
    sum += tap;
  }
  if (i >= n) return;
  auto* target = out + i;
  auto here = source[i];
  *target = sum - here;
  auto& result = *target;
  result += here;
  float scalar = 1.0f;
  float& alias = scalar;
  alias += result;
  alias++;
  out[i] = scalar;
}
int main() {
  unsigned n = 90;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  named<<<3, 32>>>(a, b, n);
}
// expects: named clean 90
