// strides in elements: any layout
__global__ void grad_z(const double* a, double* g, int ni, int nj, int nk, int si, int sj, int sk, double h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= ni || j >= nj || k < 1 || k >= nk - 1) return;
    g[i * si + j * sj + k * sk] = (a[i * si + j * sj + (k + 1) * sk] - a[i * si + j * sj + (k - 1) * sk]) / (2.0 * h);
}
