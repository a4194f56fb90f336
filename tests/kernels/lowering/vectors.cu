// float4 in memory is four floats side by side.
__global__ void kernel(const float4* in, float* out) {
  float4 a = in[threadIdx.x];
  a.y += a.w;
  reinterpret_cast<float2*>(out)[1] = make_float2(a.y, __ldg(&in[0].z));
}
