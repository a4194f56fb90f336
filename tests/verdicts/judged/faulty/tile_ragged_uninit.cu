#include <cstdio>
#include <cstdlib>
#include <cmath>

#define T 16
__global__ void mm(const float* A, const float* B, float* C, int n)
{
    __shared__ float As[T][T], Bs[T][T];
    int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x; float s = 0;
    for (int p = 0; p < (n + T - 1) / T; p++) {
        if (r < n && p * T + threadIdx.x < n) As[threadIdx.y][threadIdx.x] = A[r * n + p * T + threadIdx.x];
        if (c < n && p * T + threadIdx.y < n) Bs[threadIdx.y][threadIdx.x] = B[(p * T + threadIdx.y) * n + c];
        __syncthreads();
        for (int k = 0; k < T; k++) s += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (r < n && c < n) C[r * n + c] = s;
}
int main()
{
    int n = 50; size_t b = n * n * 4; float *h = (float*)malloc(b), *A, *B, *C; for (int i = 0; i < n * n; i++) h[i] = rand() % 5;
    cudaMalloc(&A, b); cudaMalloc(&B, b); cudaMalloc(&C, b); cudaMemcpy(A, h, b, cudaMemcpyHostToDevice); cudaMemcpy(B, h, b, cudaMemcpyHostToDevice);
    mm<<<dim3(4, 4), dim3(T, T)>>>(A, B, C, n);
    cudaMemcpy(h, C, b, cudaMemcpyDeviceToHost); printf("%f\n", h[3]); cudaFree(A); cudaFree(B); cudaFree(C); free(h);
}
