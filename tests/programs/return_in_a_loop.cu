// expects: exited 0
// expects: launches 1
// Threads that have found their minimum return from a loop in which the others meet at a barrier.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void descend(const float *u, int *steps, int n) {
    __shared__ float tile[64];
    int t = threadIdx.x, at = t;
    tile[t] = t < n ? u[t] : 0;
    for (int s = 0; s < n; s++) {
        __syncthreads();  // finds: early-return
        int left = at > 0 ? at - 1 : at, right = at < n - 1 ? at + 1 : at;
        int next = tile[left] < tile[at] ? left : tile[right] < tile[at] ? right : at;
        if (next == at) {
            steps[t] = s;
            return;
        }
        at = next;
    }
    steps[t] = n;
}

int main() {
    const int n = 64;
    float u[n], *d_u;
    int steps[n], *d_steps;
    for (int i = 0; i < n; i++) u[i] = (float)((i * 29) % 31);
    cudaMalloc(&d_u, sizeof u);
    cudaMalloc(&d_steps, sizeof steps);
    cudaMemcpy(d_u, u, sizeof u, cudaMemcpyHostToDevice);
    descend<<<1, n>>>(d_u, d_steps, n);
    cudaMemcpy(steps, d_steps, sizeof steps, cudaMemcpyDeviceToHost);
    printf("%d\n", steps[5]);
    cudaFree(d_u);
    cudaFree(d_steps);
}
