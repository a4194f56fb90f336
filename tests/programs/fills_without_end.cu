// runs within: 1 s
// expects: too-long
// expects: launches 1
// expects: says 1 s
// Each fill takes the host no time at all; whether its own limit or that of its calls is reached first depends on the machine.
__global__ void one(float* a) { a[threadIdx.x] = 1; }

int main() {
  float* a;
  cudaMalloc(&a, 1 << 23);
  one<<<1, 32>>>(a);
  while (true) cudaMemset(a, 0, 1 << 23);  // ends here
}
