// Pointers that walk, assignments in chains, and effects within an index.
__global__ void walk(const float* in, float* out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (first + 4 > n) return;
  const float* q = in + first;
  float* p = &out[first];
  float buffer[4];
  int k = 0;
  buffer[k++] = *q++;
  buffer[k++] = *q++;
  buffer[k] = *(q++);
  buffer[++k] = *q--;
  float a, b, c;
  a = b = c = buffer[k--];
  float d = c += a;
  *p++ = a + buffer[k];
  *p = p[-1] + b;
  p[1] = p[0] = d + *q;
  p += 2;
  *p-- = c + *--q;
  (*p)++;
  --*p;
  k = 0;
  while (k < 4) out[first + k] += buffer[k], ++k;
}
int main() {
  int n = 200;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  walk<<<2, 32>>>(a, b, n);
}
// expects: walk clean 190
