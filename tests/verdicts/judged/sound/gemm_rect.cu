#define BS 16
__global__ void gemm(const float* A, const float* B, float* C, int M, int N, int K, float alpha, float beta)
{
    __shared__ float As[BS][BS], Bs[BS][BS + 1];
    int row = blockIdx.y * BS + threadIdx.y, col = blockIdx.x * BS + threadIdx.x;
    float acc = 0;
    for (int k0 = 0; k0 < K; k0 += BS) {
        As[threadIdx.y][threadIdx.x] = (row < M && k0 + threadIdx.x < K) ? A[row * K + k0 + threadIdx.x] : 0;
        Bs[threadIdx.y][threadIdx.x] = (col < N && k0 + threadIdx.y < K) ? B[(k0 + threadIdx.y) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < BS; ++k) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = alpha * acc + beta * C[row * N + col];
}
