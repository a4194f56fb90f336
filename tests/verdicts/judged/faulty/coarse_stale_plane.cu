#include <cstdio>
#include <cstdlib>
#include <cmath>

#define OUT 6
#define IN 8
__global__ void st(const float* in, float* out, unsigned N)
{
    int z0 = blockIdx.z * OUT, y = blockIdx.y * OUT + threadIdx.y - 1, x = blockIdx.x * OUT + threadIdx.x - 1;
    __shared__ float cur[IN][IN];
    float prev = 0, now = 0, next = 0;
    bool in_xy = y >= 0 && y < (int)N && x >= 0 && x < (int)N;
    if (z0 - 1 >= 0 && in_xy) prev = in[(z0 - 1) * N * N + y * N + x];
    if (in_xy) now = in[z0 * N * N + y * N + x];
    for (int z = z0; z < z0 + OUT; z++) {
        if (z + 1 < (int)N && in_xy) next = in[(z + 1) * N * N + y * N + x];
        cur[threadIdx.y][threadIdx.x] = now;
        __syncthreads();
        if (z >= 1 && z < (int)N - 1 && y >= 1 && y < (int)N - 1 && x >= 1 && x < (int)N - 1)
            if (threadIdx.y >= 1 && threadIdx.y < IN - 1 && threadIdx.x >= 1 && threadIdx.x < IN - 1)
                out[z * N * N + y * N + x] = 0.5f * now + 0.1f * (cur[threadIdx.y][threadIdx.x - 1] + cur[threadIdx.y][threadIdx.x + 1] + cur[threadIdx.y - 1][threadIdx.x] + cur[threadIdx.y + 1][threadIdx.x] + prev + next);
        __syncthreads();
        now = next;
    }
}
int main()
{
    int N = 24; size_t b = N * N * N * 4; float *h = (float*)malloc(b), *a, *o;
    for (int i = 0; i < N * N * N; i++) h[i] = (float)rand() / RAND_MAX;
    cudaMalloc(&a, b); cudaMalloc(&o, b); cudaMemcpy(a, h, b, cudaMemcpyHostToDevice); cudaMemset(o, 0, b);
    st<<<dim3(4, 4, 4), dim3(IN, IN)>>>(a, o, N);
    cudaMemcpy(h, o, b, cudaMemcpyDeviceToHost); printf("%f\n", h[N * N + N + 1]); cudaFree(a); cudaFree(o); free(h);
}
