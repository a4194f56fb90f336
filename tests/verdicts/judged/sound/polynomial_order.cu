// Legendre up to `order` by recurrence; values of all orders: p[k * n + i]
__global__ void legendre(const double* x, double* p, int n, int order)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i] = 1.0;
    if (order >= 1) p[n + i] = x[i];
    for (int k = 2; k <= order; k++) p[k * n + i] = ((2 * k - 1) * x[i] * p[(k - 1) * n + i] - (k - 1) * p[(k - 2) * n + i]) / k;
}
