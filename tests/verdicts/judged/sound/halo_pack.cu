__global__ void pack_x(const float* field, float* sendL, float* sendR, int nx, int ny, int nz, int g)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int total = g * ny * nz;
    if (t >= total) return;
    int i = t % g, j = (t / g) % ny, k = t / (g * ny);
    int pitch = nx + 2 * g;
    sendL[t] = field[(k * ny + j) * pitch + g + i];
    sendR[t] = field[(k * ny + j) * pitch + nx + i];
}
__global__ void unpack_x(float* field, const float* recvL, const float* recvR, int nx, int ny, int nz, int g)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= g * ny * nz) return;
    int i = t % g, j = (t / g) % ny, k = t / (g * ny);
    int pitch = nx + 2 * g;
    field[(k * ny + j) * pitch + i] = recvL[t];
    field[(k * ny + j) * pitch + nx + g + i] = recvR[t];
}
