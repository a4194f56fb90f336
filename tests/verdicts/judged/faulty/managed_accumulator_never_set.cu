// Managed memory is not cleared.
#include <iostream>
#include <cuda_runtime.h>
__global__ void sum(const float *x, float *r, int n) {
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) s += x[i];
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(r, s);
}
int main() {
    int n = 10001; float *x, *r;
    cudaMallocManaged(&x, n * sizeof(float)); cudaMallocManaged(&r, sizeof(float));
    for (int i = 0; i < n; i++) x[i] = i % 7;

    sum<<<16, 128>>>(x, r, n);
    cudaDeviceSynchronize();
    float want = 0; for (int i = 0; i < n; i++) want += i % 7;
    std::cout << *r << " " << want << (*r == want ? " ok" : " WRONG") << "\n";
    bool ok = *r == want;
    cudaFree(x); cudaFree(r);
    return !ok;
}
