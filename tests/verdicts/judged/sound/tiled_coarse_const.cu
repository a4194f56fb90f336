#define OUT_TILE 28
#define R 2
#define IN_TILE (OUT_TILE + 2 * R)
__constant__ float F[2 * R + 1][2 * R + 1];
__global__ void conv_in_tile(float* N, float* P, int width, int height)
{
    int col = blockIdx.x * OUT_TILE + threadIdx.x - R;
    int row = blockIdx.y * OUT_TILE + threadIdx.y - R;
    __shared__ float N_s[IN_TILE][IN_TILE];
    if (row >= 0 && row < height && col >= 0 && col < width) N_s[threadIdx.y][threadIdx.x] = N[row * width + col];
    else N_s[threadIdx.y][threadIdx.x] = 0.0;
    __syncthreads();
    int tileCol = threadIdx.x - R, tileRow = threadIdx.y - R;
    if (col >= 0 && col < width && row >= 0 && row < height)
        if (tileCol >= 0 && tileCol < OUT_TILE && tileRow >= 0 && tileRow < OUT_TILE) {
            float Pvalue = 0.0f;
            for (int fRow = 0; fRow < 2 * R + 1; fRow++)
                for (int fCol = 0; fCol < 2 * R + 1; fCol++)
                    Pvalue += F[fRow][fCol] * N_s[tileRow + fRow][tileCol + fCol];
            P[row * width + col] = Pvalue;
        }
}
