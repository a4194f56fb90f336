// A reference is another name for the caller's register; a pointer needs the variable in memory.
__device__ void advance(float& value, int* count) {
  value += 1.0f;
  *count = *count + 1;
}

__global__ void kernel(float* out) {
  float value = 0.0f;
  int count = 0;
  advance(value, &count);
  out[count] = value;
}
