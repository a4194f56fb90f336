struct Weights { float w[3]; int n; };
__global__ void k(Weights s, float* o) {
  s.w[threadIdx.x] = 1.0f;
  o[0] = s.w[s.n];
}
// error 3:3: unsupported: assignment to 's.w', an array in a parameter
