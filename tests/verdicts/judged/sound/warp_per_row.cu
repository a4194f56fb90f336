// one warp per row, 4 warps per block
#define WARPS 4
__global__ void row_norm(const float* A, float* norm, int rows, int cols)
{
    __shared__ float part[WARPS][33];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.x * WARPS + w;
    float s = 0;
    if (row < rows) for (int c = lane; c < cols; c += 32) s += A[row * cols + c] * A[row * cols + c];
    part[w][lane] = s;
    __syncwarp();
    for (int o = 16; o > 0; o >>= 1) {
        if (lane < o) part[w][lane] += part[w][lane + o];
        __syncwarp();
    }
    if (lane == 0 && row < rows) norm[row] = sqrtf(part[w][0]);
}
