// float4 in memory is four consecutive floats.
__global__ void kernel(const float4* in, float* out) {
  float4 a = in[threadIdx.x];
  a.y += a.w;
  reinterpret_cast<float2*>(out)[1] = make_float2(a.y, __ldg(&in[0].z));
}

/* lowered
  Statement 0 Declaration
  %0 = Offset in, threadIdx.x, 16
  a.x = Load.F32 [%0] in part 0 of 16 bytes
  %1 = Offset %0, 4l, 1
  a.y = Load.F32 [%1] in part 1 of 16 bytes
  %2 = Offset %0, 8l, 1
  a.z = Load.F32 [%2] in part 2 of 16 bytes
  %3 = Offset %0, 12l, 1
  a.w = Load.F32 [%3] in part 3 of 16 bytes
  Statement 1 Expression
  %4 = Add.F32 a.y, a.w
  a.y = Assign.F32 %4
  Statement 2 Expression
  %3 = Offset in, 8l, 1
  %4 = Load.F32 [%3] in
  %2 = Offset out, 1, 8
  Store.F32 [%2], a.y out part 0 of 8 bytes
  %1 = Offset %2, 4l, 1
  Store.F32 [%1], %4 out part 1 of 8 bytes
*/
