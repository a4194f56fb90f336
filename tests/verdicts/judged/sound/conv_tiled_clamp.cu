#define TW 16
#define RAD 2
__constant__ float G[5][5];
__global__ void gauss_tiled_replicate(const float* in, float* out, int W, int H)
{
    __shared__ float t[TW + 2 * RAD][TW + 2 * RAD];
    int bx = blockIdx.x * TW - RAD, by = blockIdx.y * TW - RAD;
    for (int i = threadIdx.y; i < TW + 2 * RAD; i += TW)
        for (int j = threadIdx.x; j < TW + 2 * RAD; j += TW) {
            int y = min(max(by + i, 0), H - 1), x = min(max(bx + j, 0), W - 1);
            t[i][j] = in[y * W + x];
        }
    __syncthreads();
    int x = blockIdx.x * TW + threadIdx.x, y = blockIdx.y * TW + threadIdx.y;
    if (x < W && y < H) {
        float s = 0;
        for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) s += G[i][j] * t[threadIdx.y + i][threadIdx.x + j];
        out[y * W + x] = s;
    }
}
