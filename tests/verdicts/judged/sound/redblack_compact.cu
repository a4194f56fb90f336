// each thread works on one cell of its colour: x doubled
__global__ void red_black_half(double *phi, const double *rhs, int NX, int NY, int parity)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((y + parity) % 2);
    if (y > NY || x > NX) return;
    int p = NX + 2;
    int c = y * p + x;
    phi[c] = 0.25 * (phi[c - 1] + phi[c + 1] + phi[c - p] + phi[c + p] + rhs[c]);
}
