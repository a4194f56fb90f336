__global__ void advect(const float* q, float* qn, int nx, int ny, float cx, float cy)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    int xm = (x + nx - 1) % nx, xp = (x + 1) % nx;
    int ym = (y - 1 + ny) % ny, yp = (y + 1) % ny;
    qn[y * nx + x] = q[y * nx + x] - 0.5f * cx * (q[y * nx + xp] - q[y * nx + xm]) - 0.5f * cy * (q[yp * nx + x] - q[ym * nx + x]);
}
