#define W 512
#define H 256
__device__ float bufA[H][W];
__device__ float bufB[H][W];
__global__ void step(int flip)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= W - 1 || y >= H - 1) return;
    float (*a)[W] = flip ? bufB : bufA;
    float (*b)[W] = flip ? bufA : bufB;
    b[y][x] = 0.25f * (a[y - 1][x] + a[y + 1][x] + a[y][x - 1] + a[y][x + 1]);
}
