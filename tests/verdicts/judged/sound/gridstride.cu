__global__ void heat1d(double* __restrict__ unew, const double* __restrict__ u, long long n, double r)
{
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x + 1; i < n - 1; i += (long long)gridDim.x * blockDim.x)
        unew[i] = u[i] + r * (u[i + 1] - 2 * u[i] + u[i - 1]);
}
