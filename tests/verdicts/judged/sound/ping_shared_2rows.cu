// 2.5D with rows of 2 arrays in a shared array [2][BY][BX]
#define BX 32
#define BY 8
__global__ void two_fields(const float* a, const float* b, float* o, int nx, int ny)
{
    __shared__ float t[2][BY + 2][BX + 2];
    int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
    for (int k = threadIdx.y * BX + threadIdx.x; k < (BY + 2) * (BX + 2); k += BX * BY) {
        int lx = k % (BX + 2), ly = k / (BX + 2);
        int gx = min(max((int)blockIdx.x * BX + lx - 1, 0), nx - 1), gy = min(max((int)blockIdx.y * BY + ly - 1, 0), ny - 1);
        t[0][ly][lx] = a[gy * nx + gx];
        t[1][ly][lx] = b[gy * nx + gx];
    }
    __syncthreads();
    if (x >= nx || y >= ny) return;
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    o[y * nx + x] = (t[0][ly][lx + 1] - t[0][ly][lx - 1]) * t[1][ly][lx] - (t[1][ly + 1][lx] - t[1][ly - 1][lx]) * t[0][ly][lx];
}
