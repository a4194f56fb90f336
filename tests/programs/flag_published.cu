// expects: exited 0
// expects: launches 1
// expects: prints prefix sums right
// Each block waits for the sum of the one before it: data, fence, volatile flag; flag, fence, data.
#include <cuda_runtime.h>
#include <stdio.h>

#define B 64

__global__ void prefix(const int *in, int *out, int *sums, volatile int *flags) {
    __shared__ int s[B], before;
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = in[i];
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 0) {
        before = 0;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0) {}
            __threadfence();
            before = sums[blockIdx.x - 1];
        }
        sums[blockIdx.x] = before + s[B - 1];
        __threadfence();
        flags[blockIdx.x] = 1;
    }
    __syncthreads();
    out[i] = before + s[t];
}

int main() {
    const int blocks = 5, n = blocks * B;
    int in[n], out[n], *d_in, *d_out, *sums, *flags;
    for (int i = 0; i < n; i++) in[i] = i % 9;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&flags, blocks * sizeof(int));
    cudaMemset(flags, 0, blocks * sizeof(int));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    prefix<<<blocks, B>>>(d_in, d_out, sums, flags);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    int sum = 0, wrong = 0;
    for (int i = 0; i < n; i++) {
        sum += in[i];
        wrong += out[i] != sum;
    }
    printf("prefix sums %s\n", wrong ? "wrong" : "right");
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(sums);
    cudaFree(flags);
    return wrong != 0;
}
