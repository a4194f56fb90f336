// runs within: 1 s
// expects: exited 0
// expects: launches 1
// expects: sizes It is too large to be executed whole
__global__ void wait(float* a) {
  for (int i = 0; true; i += 4) a[threadIdx.x + (i & 31)] += 1;
}

int main() {
  float* a;
  cudaMalloc(&a, 64 * sizeof(float));
  cudaMemset(a, 0, 64 * sizeof(float));
  wait<<<100, 32>>>(a);  // fails: The launch was stopped after 1 // finds: unchecked-error
  cudaFree(a);
}
