// A histogram in shared memory, the range of the values, and a queue of the large ones.
#define BINS 32
__global__ void histogram(const unsigned char* image, unsigned int* bins, int width, int height) {
  __shared__ unsigned int own[BINS];
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  if (t < BINS) own[t] = 0;
  __syncthreads();
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) atomicAdd_block(&own[image[y * width + x] * BINS / 256], 1u);
  __syncthreads();
  if (t < BINS && own[t] > 0) atomicAdd(&bins[t], own[t]);
}

__device__ float atomicMaxFloat(float* address, float value) {
  int* bits = (int*)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) break;
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void extremes(const int* values, int* least, int* most, unsigned int* count, float* largest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicMin(least, values[i]);
  atomicMax(most, values[i]);
  atomicMaxFloat(largest, (float)values[i] + 2.0f);
  if (values[i] >= 0) atomicInc(count, 0xffffffffu);
}

int main() {
  unsigned char* image; unsigned int* bins; int *v, *lo, *hi; unsigned int* c; float* l;
  cudaMalloc(&bins, BINS * sizeof(unsigned int)); cudaMalloc(&v, 1000 * 4);
  cudaMalloc(&lo, 4); cudaMalloc(&hi, 4); cudaMalloc(&c, 4); cudaMalloc(&l, 4);
  histogram<<<dim3(4, 3), dim3(16, 16)>>>(image, bins, 64, 48);
  extremes<<<8, 128>>>(v, lo, hi, c, l, 1000);
}
// expects: histogram clean
// expects: extremes clean
// stepping: histogram refused an atomic operation whose operands read memory
// stepping: extremes refused an atomic operation whose operands read memory
