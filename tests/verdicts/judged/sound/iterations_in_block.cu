// each block does `steps` Jacobi steps on its own 1D chunk of 256 cells (fixed ends), ping-pong in shared memory
__global__ void chunk_steps(float* u, int steps)
{
    __shared__ float a[2][256];
    int t = threadIdx.x, cur = 0;
    a[0][t] = a[1][t] = u[blockIdx.x * 256 + t];
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        if (t > 0 && t < 255) a[cur ^ 1][t] = 0.5f * (a[cur][t - 1] + a[cur][t + 1]);
        cur ^= 1;
        __syncthreads();
    }
    u[blockIdx.x * 256 + t] = a[cur][t];
}
