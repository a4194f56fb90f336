// 2D wave equation, leapfrog in time with three arrays, reflecting border (u = 0). No reference: energy-like sum is printed.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NX 64
#define NY 40
#define STEPS 12
#define BX 16
#define BY 8
#define IDX(i, j) ((j) * NX + (i))

#define cudaCheck(stmt) { cudaError_t e_ = (stmt); if (e_ != cudaSuccess) { printf("CUDA: %s (line %d)\n", cudaGetErrorString(e_), __LINE__); exit(1); } }

__global__ void wave_step(float *u_next, const float *u, const float *u_prev, float lambda2)
{
    int i = blockIdx.x * BX + threadIdx.x;
    int j = blockIdx.y * BY + threadIdx.y;
    if (i < 1 || i >= NX - 1 || j < 1 || j >= NY - 1) return;
    float lap = u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] - 4.0f * u[IDX(i, j)];
    u_next[IDX(i, j)] = 2.0f * u[IDX(i, j)] - u_prev[IDX(i, j)] + lambda2 * lap;
}

void waveHost(float *prev, float *curr, int steps, float lambda2)
{
    for (int t = 0; t < steps; t++) {
        for (int j = 1; j < NY - 1; j++)
            for (int i = 1; i < NX - 1; i++) {
                float lap = curr[IDX(i - 1, j)] + curr[IDX(i + 1, j)] + curr[IDX(i, j - 1)] + curr[IDX(i, j + 1)] - 4.0f * curr[IDX(i, j)];
                prev[IDX(i, j)] = 2.0f * curr[IDX(i, j)] - prev[IDX(i, j)] + lambda2 * lap;
            }
        float *tmp = prev; prev = curr; curr = tmp;
    }
    if (curr != prev && steps % 2) for (int n = 0; n < NX * NY; n++) { float v = prev[n]; prev[n] = curr[n]; curr[n] = v; }
}

int main(void)
{
    const float c = 1.0f, dt = 0.4f, dx = 1.0f;
    const float lambda2 = (c * dt / dx) * (c * dt / dx);
    static float h_u[NX * NY], h_old[NX * NY], h_result[NX * NY];
    for (int j = 0; j < NY; j++) {
        for (int i = 0; i < NX; i++) {
            float rx = (i - 20) / 4.0f, ry = (j - 15) / 3.0f;
            int edge = i == 0 || j == 0 || i == NX - 1 || j == NY - 1;
            h_u[IDX(i, j)] = edge ? 0.0f : expf(-rx * rx - ry * ry);
            h_old[IDX(i, j)] = edge ? 0.0f : expf(-(rx + 0.1f) * (rx + 0.1f) - ry * ry);
        }
    }

    float *d_prev, *d_curr, *d_next;
    size_t size = NX * NY * sizeof(float);
    cudaCheck(cudaMalloc((void **)&d_prev, size));
    cudaCheck(cudaMalloc((void **)&d_curr, size));
    cudaCheck(cudaMalloc((void **)&d_next, size));
    cudaCheck(cudaMemcpy(d_prev, h_old, size, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemcpy(d_curr, h_u, size, cudaMemcpyHostToDevice));
    cudaCheck(cudaMemset(d_next, 0, size));

    dim3 block(BX, BY);
    dim3 grid((NX + BX - 1) / BX, (NY + BY - 1) / BY);
    for (int t = 0; t < STEPS; t++) {
        wave_step<<<grid, block>>>(d_next, d_curr, d_prev, lambda2);
        cudaCheck(cudaGetLastError());
        float *tmp = d_prev;
        d_prev = d_curr;
        d_curr = d_next;
        d_next = tmp;
    }
    cudaCheck(cudaMemcpy(h_result, d_curr, size, cudaMemcpyDeviceToHost));

    waveHost(h_old, h_u, STEPS, lambda2);
    int bad = 0;
    for (int n = 0; n < NX * NY; n++) if (fabsf(h_result[n] - h_u[n]) > 1e-5f) bad++;
    printf("%d wrong\n", bad);
    double sum = 0.0, squares = 0.0;
    for (int n = 0; n < NX * NY; n++) {
        sum += h_result[n];
        squares += (double)h_result[n] * h_result[n];
    }
    printf("sum %.6f, squares %.6f\n", sum, squares);
    cudaFree(d_prev);
    cudaFree(d_curr);
    cudaFree(d_next);
    return bad ? 1 : 0;
}
