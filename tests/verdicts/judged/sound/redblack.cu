__global__ void sor_color(float* u, const float* f, int n, int m, float h2, float omega, int color)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int i = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < n - 1 && j < m - 1 && ((i + j) & 1) == color) {
        float gs = 0.25f * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - h2 * f[i * m + j]);
        u[i * m + j] += omega * (gs - u[i * m + j]);
    }
}
