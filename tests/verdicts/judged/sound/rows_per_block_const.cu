constexpr int kThreadsX = 32, kThreadsY = 4, kRowsPerThread = 4;
__global__ __launch_bounds__(kThreadsX * kThreadsY) void smooth_rows(const float* __restrict__ in, float* __restrict__ out, int w, int h)
{
    __shared__ float tile[kThreadsY * kRowsPerThread][kThreadsX + 2];
    int x = blockIdx.x * kThreadsX + threadIdx.x;
    int y0 = blockIdx.y * kThreadsY * kRowsPerThread;
#pragma unroll
    for (int r = 0; r < kRowsPerThread; r++) {
        int ly = threadIdx.y + r * kThreadsY, y = y0 + ly;
        bool ok = y < h;
        tile[ly][threadIdx.x + 1] = ok && x < w ? in[y * w + x] : 0.f;
        if (threadIdx.x == 0) tile[ly][0] = ok && x > 0 ? in[y * w + x - 1] : 0.f;
        if (threadIdx.x == kThreadsX - 1) tile[ly][kThreadsX + 1] = ok && x + 1 < w ? in[y * w + x + 1] : 0.f;
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < kRowsPerThread; r++) {
        int ly = threadIdx.y + r * kThreadsY, y = y0 + ly;
        if (x < w && y < h) out[y * w + x] = 0.25f * tile[ly][threadIdx.x] + 0.5f * tile[ly][threadIdx.x + 1] + 0.25f * tile[ly][threadIdx.x + 2];
    }
}
