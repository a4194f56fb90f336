// expects: crashed
// expects: launches 1
// expects: says delete is given memory of the CUDA runtime: free it with cudaFree
__global__ void fill(float* a) { a[threadIdx.x] = 1; }

int main() {
  float* own = new float[32];
  delete[] own;
  float* a;
  cudaMallocManaged(&a, 32 * sizeof(float));
  fill<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  delete[] a;  // finds: invalid-free // ends here
}
