#define TILE 16
__constant__ float Mask[5][5];
__global__ void conv_tiled(const float* N, float* P, int height, int width)
{
    __shared__ float Ns[TILE + 4][TILE + 4];
    int tx = threadIdx.x, ty = threadIdx.y;
    int gx = blockIdx.x * TILE, gy = blockIdx.y * TILE;
    for (int y = ty; y < TILE + 4; y += TILE)
        for (int x = tx; x < TILE + 4; x += TILE) {
            int yy = gy + y - 2, xx = gx + x - 2;
            Ns[y][x] = (yy >= 0 && yy < height && xx >= 0 && xx < width) ? N[yy * width + xx] : 0.0f;
        }
    __syncthreads();
    float s = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            s += Mask[i][j] * Ns[ty + i][tx + j];
    if (gy + ty < height && gx + tx < width) P[(gy + ty) * width + gx + tx] = s;
}
