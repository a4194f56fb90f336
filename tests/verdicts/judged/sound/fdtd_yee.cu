// Hz: N x N, Ex: N x (N+1) rows N+1, Ey: N rows of N+1
__global__ void update_hz(float* Hz, const float* Ex, const float* Ey, int N, float c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N)
        Hz[j * N + i] -= c * (Ey[j * (N + 1) + i + 1] - Ey[j * (N + 1) + i] - Ex[(j + 1) * N + i] + Ex[j * N + i]);
}
__global__ void update_ex(float* Ex, const float* Hz, int N, float c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < N && j < N) Ex[j * N + i] += c * (Hz[j * N + i] - Hz[(j - 1) * N + i]);
}
__global__ void update_ey(float* Ey, const float* Hz, int N, float c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N) Ey[j * (N + 1) + i] -= c * (Hz[j * N + i] - Hz[j * N + i - 1]);
}
