// fine grid: (2*nc + 1)^2 points, coarse grid: (nc + 1)^2 points
__global__ void restrict_full(const double* fine, double* coarse, int nc)
{
    int I = blockIdx.x * blockDim.x + threadIdx.x;
    int J = blockIdx.y * blockDim.y + threadIdx.y;
    if (I > nc || J > nc) return;
    int nf = 2 * nc + 1, i = 2 * I, j = 2 * J;
    if (I == 0 || J == 0 || I == nc || J == nc) { coarse[J * (nc + 1) + I] = fine[j * nf + i]; return; }
    coarse[J * (nc + 1) + I] = 0.25 * fine[j * nf + i]
        + 0.125 * (fine[j * nf + i - 1] + fine[j * nf + i + 1] + fine[(j - 1) * nf + i] + fine[(j + 1) * nf + i])
        + 0.0625 * (fine[(j - 1) * nf + i - 1] + fine[(j - 1) * nf + i + 1] + fine[(j + 1) * nf + i - 1] + fine[(j + 1) * nf + i + 1]);
}
__global__ void prolong_add(const double* coarse, double* fine, int nc)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int nf = 2 * nc + 1;
    if (i >= nf || j >= nf) return;
    int I = i / 2, J = j / 2, s = nc + 1;
    double v;
    if (i % 2 == 0 && j % 2 == 0) v = coarse[J * s + I];
    else if (i % 2 == 1 && j % 2 == 0) v = 0.5 * (coarse[J * s + I] + coarse[J * s + I + 1]);
    else if (i % 2 == 0) v = 0.5 * (coarse[J * s + I] + coarse[(J + 1) * s + I]);
    else v = 0.25 * (coarse[J * s + I] + coarse[J * s + I + 1] + coarse[(J + 1) * s + I] + coarse[(J + 1) * s + I + 1]);
    fine[j * nf + i] += v;
}
