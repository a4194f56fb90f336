__global__ void kernel(float* out, double* precise, int i, unsigned u) {
  out[0] = sqrtf(out[1]) + fabsf(out[2]) + __expf(out[3]) + fmaxf(out[4], 2);
  out[1] = fmaf(out[1], out[2], out[3]);
  precise[0] = pow(precise[1], 2) + sqrt(precise[2]) + abs(i);
  i = min(i, 4) + max(u, i);
  out[i] = isnan(out[5]) ? rsqrtf(2.0f) : std::max(out[6], 1.0f);
  atomicAdd(&out[7], 1.0f);
}
