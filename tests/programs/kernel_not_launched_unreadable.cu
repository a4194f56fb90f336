// expects: exited 0
// expects: launches 1
// A kernel that no compiler accepts, although nothing launches it.

__global__ void unused(float *a) {
  a[0] = scale_factor;  // finds: unread-kernel
}

__global__ void used(float *a) { a[0] = 1; }

int main() {
  float *a;
  cudaMalloc(&a, sizeof(float));
  used<<<1, 1>>>(a);  // finds: never-copied-back
  cudaDeviceSynchronize();
  cudaFree(a);
}
