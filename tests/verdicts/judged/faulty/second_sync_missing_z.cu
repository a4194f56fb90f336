#include <cstdio>
#include <cstdlib>
#include <cmath>

#define T 8
__global__ void stencil(const float* in, float* out, int N, float c0, float c1)
{
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    __shared__ float cur[T][T];
    float prev = 0, now = 0, next = 0;
    if (x < N && y < N) { prev = in[y * N + x]; now = in[N * N + y * N + x]; }
    for (int z = 1; z < N - 1; z++) {
        if (x < N && y < N) next = in[(z + 1) * N * N + y * N + x];
        cur[threadIdx.y][threadIdx.x] = now;
        __syncthreads();
        if (x > 0 && y > 0 && x < N - 1 && y < N - 1) {
            float l = threadIdx.x > 0 ? cur[threadIdx.y][threadIdx.x - 1] : in[z * N * N + y * N + x - 1];
            float r = threadIdx.x < T - 1 ? cur[threadIdx.y][threadIdx.x + 1] : in[z * N * N + y * N + x + 1];
            float u = threadIdx.y > 0 ? cur[threadIdx.y - 1][threadIdx.x] : in[z * N * N + (y - 1) * N + x];
            float d = threadIdx.y < T - 1 ? cur[threadIdx.y + 1][threadIdx.x] : in[z * N * N + (y + 1) * N + x];
            out[z * N * N + y * N + x] = c0 * now + c1 * (l + r + u + d + prev + next);
        }
        prev = now; now = next;
    }
}
int main()
{
    int N = 20; size_t b = N * N * N * sizeof(float);
    float* h = (float*)malloc(b); for (int i = 0; i < N * N * N; i++) h[i] = (float)rand() / RAND_MAX;
    float *a, *o; cudaMalloc(&a, b); cudaMalloc(&o, b);
    cudaMemcpy(a, h, b, cudaMemcpyHostToDevice); cudaMemset(o, 0, b);
    stencil<<<dim3(3, 3), dim3(T, T)>>>(a, o, N, 0.4f, 0.1f);
    cudaMemcpy(h, o, b, cudaMemcpyDeviceToHost);
    printf("%f\n", h[N * N * 5 + 5 * N + 5]);
    cudaFree(a); cudaFree(o); free(h);
}
