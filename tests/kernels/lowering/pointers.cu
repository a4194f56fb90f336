// The object behind a pointer is known as long as everything assigned to it comes from one array.
__global__ void kernel(const float* in, const float* other, float* out, int n) {
  const float* row = in + threadIdx.x * n;
  row += 2;
  float sum = row[1];
  sum += *row++;
  const float* either = n > 4 ? in : other;
  sum += either[-1];
  const float* end = in + n;
  out[end - row] = sum - end[-1];
  if (row != nullptr && end) out[0] = *(&in[3] - n);
}
