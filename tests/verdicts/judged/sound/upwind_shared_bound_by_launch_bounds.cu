#define THREADS 192
__launch_bounds__(THREADS)
__global__ void limiter(const double* __restrict__ q, double* __restrict__ f, int n, double c)
{
    __shared__ double s[THREADS + 4];
    int i = blockIdx.x * THREADS + threadIdx.x;
    for (int k = threadIdx.x; k < THREADS + 4; k += THREADS) { int g = blockIdx.x * THREADS + k - 2; s[k] = q[g < 0 ? g + n : g >= n ? (g - n) % n : g]; }
    __syncthreads();
    if (i >= n) return;
    const double* p = s + threadIdx.x + 2;
    double r = (p[0] - p[-1]) / (p[1] - p[0] + 1e-30), phi = fmax(0.0, fmin(1.0, r));
    f[i] = c * (p[0] + 0.5 * phi * (1 - c) * (p[1] - p[0]));
}
