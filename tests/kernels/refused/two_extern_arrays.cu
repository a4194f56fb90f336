__global__ void kernel(float* out) {
  extern __shared__ float first_s[];
  extern __shared__ float second_s[];
  first_s[0] = 1.0f;
  out[0] = second_s[0];
}
// error 3:3: unsupported: a second extern __shared__ array: it would share the memory of 'first_s'
