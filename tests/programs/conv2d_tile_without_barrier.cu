// expects: exited 0
// expects: launches 1
#include <stdio.h>
#include <stdlib.h>

#define W 48
#define H 40
#define R 1
#define OUT_TILE 14
#define IN_TILE (OUT_TILE + 2 * R)

__constant__ float F[2 * R + 1][2 * R + 1];

__global__ void convTile(float *N, float *P, int width, int height) {
    __shared__ float N_s[IN_TILE][IN_TILE];
    int col = blockIdx.x * OUT_TILE + threadIdx.x - R;
    int row = blockIdx.y * OUT_TILE + threadIdx.y - R;
    if (row >= 0 && row < height && col >= 0 && col < width)
        N_s[threadIdx.y][threadIdx.x] = N[row * width + col];  // finds: race-shared
    else
        N_s[threadIdx.y][threadIdx.x] = 0.0f;
    int tileCol = threadIdx.x - R;
    int tileRow = threadIdx.y - R;
    if (col >= 0 && col < width && row >= 0 && row < height) {
        if (tileCol >= 0 && tileCol < OUT_TILE && tileRow >= 0 && tileRow < OUT_TILE) {
            float v = 0.0f;
            for (int i = 0; i < 2 * R + 1; i++)
                for (int j = 0; j < 2 * R + 1; j++) v += F[i][j] * N_s[tileRow + i][tileCol + j];
            P[row * width + col] = v;
        }
    }
}

int main() {
    float *h = (float *)calloc(W * H, sizeof(float));
    float filter[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    float *d_N, *d_P;
    for (int i = 0; i < W * H; i++) h[i] = (float)(i % 13);
    cudaMalloc((void **)&d_N, W * H * sizeof(float));
    cudaMalloc((void **)&d_P, W * H * sizeof(float));
    cudaMemcpy(d_N, h, W * H * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(F, filter, sizeof(filter));
    dim3 dimBlock(IN_TILE, IN_TILE, 1);
    dim3 dimGrid((W + OUT_TILE - 1) / OUT_TILE, (H + OUT_TILE - 1) / OUT_TILE, 1);
    convTile<<<dimGrid, dimBlock>>>(d_N, d_P, W, H);
    cudaMemcpy(h, d_P, W * H * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f %f\n", h[0], h[W * H / 2]);
    cudaFree(d_N);
    cudaFree(d_P);
    free(h);
    return 0;
}
