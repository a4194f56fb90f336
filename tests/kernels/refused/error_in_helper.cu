// An error in a device function matters to the kernels that call it.
__device__ float scaled(float value) {
  return value * SCALE;
}

__global__ void kernel(float* out) {
  out[0] = scaled(out[1]);
}
// error 3:18: use of undeclared identifier 'SCALE'
