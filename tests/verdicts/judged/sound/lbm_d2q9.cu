__constant__ int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float w[9] = {4.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/9, 1.f/36, 1.f/36, 1.f/36, 1.f/36};
__constant__ int opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__global__ void collide_stream(const float* __restrict__ f, float* __restrict__ fn, const unsigned char* __restrict__ solid, int nx, int ny, float tau)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    int N = nx * ny, c = y * nx + x;
    float fi[9], rho = 0.f, ux = 0.f, uy = 0.f;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        int xs = (x - cx[q] + nx) % nx, ys = (y - cy[q] + ny) % ny;
        int s = ys * nx + xs;
        fi[q] = solid[s] ? f[opp[q] * N + c] : f[q * N + s];
        rho += fi[q]; ux += cx[q] * fi[q]; uy += cy[q] * fi[q];
    }
    if (solid[c]) { for (int q = 0; q < 9; q++) fn[q * N + c] = w[q]; return; }
    ux /= rho; uy /= rho;
    float u2 = ux * ux + uy * uy;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        float cu = cx[q] * ux + cy[q] * uy;
        float feq = w[q] * rho * (1.f + 3.f * cu + 4.5f * cu * cu - 1.5f * u2);
        fn[q * N + c] = fi[q] - (fi[q] - feq) / tau;
    }
}
