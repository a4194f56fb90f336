// 64 threads; three planes of 64
__global__ void tri(const float* a, float* b, int n)
{
    __shared__ float s[3][64];
    int i = blockIdx.x * 64 + threadIdx.x;
    for (int k = 0; k < 3; k++) s[k][threadIdx.x] = i + k * n < 3 * n && i < n ? a[i + k * n] : 0.f;
    __syncthreads();
    int r = 63 - threadIdx.x;
    if (i < n) b[i] = s[0][r] + 2 * s[1][r] + 4 * s[2][r];
}
