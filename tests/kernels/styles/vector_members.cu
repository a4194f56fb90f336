// Small vectors: their members changed one by one, arrays of them, and whole ones copied.
__device__ float4 add(const float4& a, const float4& b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__device__ inline void scale(float2& v, float by) { v.x *= by; v.y *= by; }
__global__ void vectors(const float4* __restrict__ in, float4* __restrict__ out, int n) {
  __shared__ float4 tile[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int2 where = make_int2(threadIdx.x, i);
  tile[where.x] = i < n ? in[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  __syncthreads();
  float4 sum = tile[where.x];
  sum.x += tile[(where.x + 1) % 32].x;
  sum.y = sum.x++ + sum.w;
  float2 both = {sum.x, sum.y};
  scale(both, 0.5f);
  both.x += both.y -= 1.0f;
  sum.z *= both.x;
  float4 pair[2];
  pair[0] = sum;
  pair[1] = add(pair[0], tile[where.x]);
  pair[1].w += pair[0].y;
  where.y += 0;
  if (where.y < n) {
    out[where.y] = add(pair[0], pair[1]);
    out[where.y].x += 1.0f;
  }
}
int main() {
  int n = 60;
  float4 *a, *b;
  cudaMalloc(&a, n * sizeof(float4));
  cudaMalloc(&b, n * sizeof(float4));
  vectors<<<2, 32>>>(a, b, n);
}
// expects: vectors clean 60
