// Arrays in registers, changed in place in every way there is.
__device__ float twice(float x) {
  float y = x;
  y += x;
  return y;
}
__device__ float bump(float& x) {
  x += 1.0f;
  return x;
}
__global__ void updates(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  int counts[3] = {0, 1, 2};
  float grid[2][2] = {{0.0f, 1.0f}, {2.0f, 3.0f}};
  a[0] += in[i];
  a[1] -= a[0];
  a[2] *= a[1] + in[i];
  a[3] /= 2.0f;
  counts[0]++;
  ++counts[1];
  counts[2]--;
  --counts[0];
  int before = counts[1]++, after = ++counts[1];
  a[counts[1] & 3] += a[before & 3] * a[after & 3];
  a[0] += twice(in[i]);
  a[1] += twice(a[1]) + a[1];
  a[counts[2]++ & 3] += twice(a[2]);
  a[0] += bump(a[1]);
  counts[1] <<= 2;
  counts[1] >>= 1;
  counts[1] %= 5;
  counts[1] |= 8;
  counts[1] &= 0xff;
  counts[1] ^= 3;
  for (int y = 0; y < 2; ++y) {
    for (int x = 0; x < 2; ++x) grid[y][x] += grid[x][y] * a[x + y];
  }
  a[3] = a[2] += a[1] -= a[0];
  (a[0]) += (in[i]);
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) sum += a[k];
  sum += grid[0][0] + grid[0][1] + grid[1][0] + grid[1][1];
  out[i] = sum + counts[0] + counts[1] + counts[2] + before + after;
  out[i] += 1.0f;
  out[i] *= in[i] > 0.0f ? 2.0f : a[0];
}
int main() {
  int n = 70;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  updates<<<2, 64>>>(a, b, n);
}
// expects: updates clean 70
