// 1D stencil of order RADIUS with a shared tile and its halo; the ends are periodic.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define RADIUS 4
#define BLOCK_SIZE 128
#define N 1000

__constant__ float c_coef[2 * RADIUS + 1];

__global__ void stencil_1d(float *in, float *out, int n)
{
    __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x;
    int lindex = threadIdx.x + RADIUS;

    // elements behind the last one are those at the beginning: the array is periodic
    temp[lindex] = in[gindex % n];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[(gindex - RADIUS + n) % n];
        temp[lindex + BLOCK_SIZE] = in[(gindex + BLOCK_SIZE) % n];
    }
    __syncthreads();

    if (gindex < n) {
        float result = 0.0f;
        for (int offset = -RADIUS; offset <= RADIUS; offset++)
            result += c_coef[offset + RADIUS] * temp[lindex + offset];
        out[gindex] = result;
    }
}

void stencil_host(const float *in, float *check, const float *coef)
{
    for (int i = 0; i < N; i++) {
        check[i] = coef[RADIUS] * in[i];
        for (int j = 1; j <= RADIUS; j++)
            check[i] += coef[RADIUS + j] * (in[(i - j + N) % N] + in[(i + j) % N]);
    }
}

int main(void)
{
    float *in, *out, *check;
    float *d_in, *d_out;
    int size = N * sizeof(float);
    float coef[2 * RADIUS + 1];

    in = (float *)malloc(size);
    out = (float *)malloc(size);
    check = (float *)malloc(size);
    for (int i = 0; i < N; i++)
        in[i] = (float)(rand() % 1000) / 1000.0f;
    for (int i = 0; i <= 2 * RADIUS; i++)
        coef[i] = 1.0f / (2 + abs(i - RADIUS));

    cudaMalloc((void **)&d_in, size);
    cudaMalloc((void **)&d_out, size);
    cudaMemcpy(d_in, in, size, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(c_coef, coef, sizeof(coef));

    stencil_1d<<<(N + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, d_out, N);

    cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost);

    stencil_host(in, check, coef);
    int bad = 0;
    for (int i = 0; i < N; i++) {
        if (fabs(out[i] - check[i]) > 1e-4) {
            printf("Error at %d: %f vs %f\n", i, out[i], check[i]);
            bad = 1;
            break;
        }
    }
    if (!bad) printf("Results match.\n");
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    free(out);
    free(check);
    return bad;
}
